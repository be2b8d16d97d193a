package io.locket.job.recording;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.locket.UniqueJob;
import io.locket.job.recording.other.OtherPackage;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link CallRecorder}.
 */
class CallRecorderTests {

	@Test
	void callOfAnInterfaceIsRecorded() {
		RecordedCall call = CallRecorder.record(Task.class, (task) -> task.handle("x"));
		assertThat(call.type()).isEqualTo(Task.class);
		assertThat(call.method().getName()).isEqualTo("handle");
		assertThat(call.arguments()).containsExactly("x");
		assertThat(call).hasToString("CallRecorderTests.Task.handle(Object)");
	}

	@Test
	void defaultMethodIsRecordedAndNotRun() {
		assertThat(CallRecorder.record(Task.class, Task::handleAll).method().getName()).isEqualTo("handleAll");
	}

	@Test
	void callOfAClassIsRecordedWithoutConstructorAndBody() {
		RecordedCall call = CallRecorder.record(Billing.class, (billing) -> billing.bill(42, null));
		assertThat(call.method().getName()).isEqualTo("bill");
		assertThat(call.arguments()).containsExactly(42L, null);
	}

	/**
	 * A finalizer would make the garbage collection of recorders expensive.
	 */
	@Test
	void recorderHasNoFinalizer() {
		CallRecorder.record(Billing.class, (billing) -> {
			assertThat(billing.getClass().getDeclaredMethods()).extracting(Method::getName).doesNotContain("finalize");
			billing.bill(42, null);
		});
	}

	@Test
	void bridgeLeadsToTheMethodBehindIt() {
		RecordedCall call = CallRecorder.record(Billing.class, (billing) -> {
			Handler<String> handler = billing;
			handler.handle("x");
		});
		assertThat(call.method().isBridge()).isFalse();
		assertThat(call.method().getParameterTypes()).containsExactly(String.class);
	}

	@Test
	void inheritedAndPackagePrivateMethodsAreRecorded() {
		assertThat(CallRecorder.record(SpecialBilling.class, (billing) -> billing.bill(1, "x")).type())
			.isEqualTo(SpecialBilling.class);
		assertThat(CallRecorder.record(SpecialBilling.class, Billing::packagePrivate).method().getName())
			.isEqualTo("packagePrivate");
	}

	@Test
	void classThatOthersCannotConstructIsRecorded() {
		assertThat(CallRecorder.record(Hidden.class, Hidden::run).method().getName()).isEqualTo("run");
		assertThat(CallRecorder.record(OnlyPrivate.class, OnlyPrivate::run).method().getName()).isEqualTo("run");
	}

	@Test
	void abstractClassIsRecorded() {
		assertThat(CallRecorder.record(Template.class, Template::fill).method().getName()).isEqualTo("fill");
	}

	@Test
	@SuppressWarnings("unchecked")
	void classOfASpringProxyStandsForTheClassBehindIt() {
		ProxyFactory factory = new ProxyFactory();
		factory.setTargetClass(Plain.class);
		factory.setProxyTargetClass(true);
		factory.setTarget(new Plain());
		Class<Plain> type = (Class<Plain>) ((Plain) factory.getProxy()).getClass();
		assertThat(type).isNotEqualTo(Plain.class);
		assertThat(CallRecorder.record(type, Plain::run).type()).isEqualTo(Plain.class);
	}

	@Test
	void primitiveResultsAreZero() {
		CallRecorder.record(Results.class, (results) -> assertThat(results.number()).isZero());
		CallRecorder.record(Results.class, (results) -> assertThat(results.flag()).isFalse());
		CallRecorder.record(Results.class, (results) -> assertThat(results.letter()).isEqualTo('\0'));
		CallRecorder.record(Results.class, (results) -> assertThat(results.real()).isZero());
		CallRecorder.record(Results.class, (results) -> assertThat(results.maybe()).isNull());
		CallRecorder.record(Plain.class, (plain) -> assertThat(plain.run()).isZero());
	}

	@Test
	void whatEveryObjectHasIsNoCall() {
		RecordedCall call = CallRecorder.record(Billing.class, (billing) -> {
			assertThat(billing).hasToString("Recorder of CallRecorderTests.Billing")
				.isEqualTo(billing)
				.hasSameHashCodeAs(billing);
			assertThat(billing.equals(new Object())).isFalse();
			billing.bill(1, "x");
		});
		assertThat(call.method().getName()).isEqualTo("bill");
		CallRecorder.record(Task.class, (task) -> {
			assertThat(task.toString()).isEqualTo("Recorder of CallRecorderTests.Task");
			task.handle("x");
		});
	}

	@Test
	void noCallIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Task.class, (task) -> {
		}))
			.withMessage("No call of CallRecorderTests.Task was recorded. Call the job once on the recorder, as"
					+ " in enqueue(CallRecorderTests.Task.class, (job) -> job.method(...)). Calls of other objects were"
					+ " executed");
	}

	@Test
	void finalMethodThatRanIsNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(WithFinal.class, WithFinal::harmless))
			.withMessageEndingWith("These methods cannot be overridden, so they run instead of being recorded:"
					+ " [CallRecorderTests.WithFinal.failing(), CallRecorderTests.WithFinal.harmless()]");
		assertThatExceptionOfType(NullPointerException.class)
			.isThrownBy(() -> CallRecorder.record(WithFinal.class, WithFinal::failing))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.satisfies((hint) -> assertThat(hint).hasMessageContaining("WithFinal.failing()")));
	}

	@Test
	void methodThatOnlyAnotherPackageSeesIsNamed() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CallRecorder.record(Elsewhere.class, OtherPackage.hiddenCall()))
			.withMessageEndingWith("instead of being recorded: [CallRecorderTests.Elsewhere.hidden()]");
		assertThat(CallRecorder.record(Elsewhere.class, OtherPackage::open).method().getName()).isEqualTo("open");
	}

	@Test
	void finalizerOfAnObjectThatWasNeverConstructedDoesNothing() throws Throwable {
		CallRecorder.record(Closing.class, (closing) -> {
			closing.callFinalizer();
			closing.close();
		});
	}

	@Test
	void jobThatNothingCanOverrideIsRefusedBeforeItsBodyRuns() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(FinalJob.class, FinalJob::job))
			.withMessage("Calls of CallRecorderTests.FinalJob.job() cannot be recorded: the method is final, so its"
					+ " body would run. Remove 'final' (in Kotlin: add 'open' or the plugin kotlin-spring). Use an"
					+ " interface that it implements, or enqueue by the name of the job");
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(PrivateJob.class, PrivateJob::job))
			.withMessageContaining("the method is private");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CallRecorder.record(StaticJob.class, (jobs) -> StaticJob.job()))
			.withMessageContaining("the method is static");
	}

	@Test
	void secondCallIsRefusedAlsoIfItsErrorIsSwallowed() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			billing.bill(1, "x");
			billing.handle("y");
		}))
			.withMessage("Two calls were recorded, CallRecorderTests.Billing.bill(long, String) and"
					+ " CallRecorderTests.Billing.handle(String), but only one can be enqueued. Enqueue each separately, or"
					+ " all of them with enqueueAll");
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			billing.bill(1, "x");
			try {
				billing.bill(2, "x");
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).hasMessageStartingWith("Two calls");
			}
		})).withMessageStartingWith("Two calls were recorded");
	}

	@Test
	void callByAnotherThreadIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> billing.bill(1, "x"));
			assertThatExceptionOfType(CompletionException.class).isThrownBy(other::join);
		})).withMessageContaining("was called on another thread than the recording one");
	}

	@Test
	void recorderThatIsKeptTakesNoCallLater() {
		AtomicReference<Billing> kept = new AtomicReference<>();
		CallRecorder.record(Billing.class, (billing) -> {
			kept.set(billing);
			billing.bill(1, "x");
		});
		assertThatIllegalStateException().isThrownBy(() -> kept.get().bill(2, "x"))
			.withMessageContaining("after its recording ended");
	}

	@Test
	void recordingsMayBeNestedAndConcurrent() {
		List<RecordedCall> calls = IntStream.range(0, 200)
			.parallel()
			.mapToObj((i) -> CallRecorder.record(Billing.class, (outer) -> {
				RecordedCall inner = CallRecorder.record(Billing.class, (billing) -> billing.bill(i, "inner"));
				assertThat(inner.arguments()).containsExactly((long) i, "inner");
				outer.bill(i, "outer");
			}))
			.toList();
		for (int i = 0; i < calls.size(); i++) {
			assertThat(calls.get(i).arguments()).containsExactly((long) i, "outer");
		}
	}

	@Test
	void uncheckedFailureIsThrownOn() {
		IllegalStateException failure = new IllegalStateException("no");
		assertThatIllegalStateException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			throw failure;
		})).isSameAs(failure);
		assertThat(failure.getSuppressed()).isEmpty();
	}

	@Test
	void useOfTheResultOfARecordedCallFailsWithTheReason() {
		assertThatNullPointerException()
			.isThrownBy(() -> CallRecorder.record(Results.class, (results) -> results.maybe().orElseThrow()))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
				.hasMessage("CallRecorderTests.Results.maybe() is only recorded and returns null: do not use"
						+ " its result"));
	}

	@Test
	void checkedFailureIsTheCause() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			throw new IOException("no");
		}))
			.withMessage("The call of CallRecorderTests.Billing was not recorded, because the callback threw"
					+ " java.io.IOException")
			.withCauseInstanceOf(IOException.class);
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(Billing.class, (billing) -> {
			throw new InterruptedException();
		}));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void typesThatNothingCanExtendAreRefused() {
		assertRefused(FinalClass.class, "it is final");
		assertRefused(Data.class, "it is final");
		assertRefused(Shape.class, "it is sealed");
		assertRefused(SealedClass.class, "it is sealed");
		assertRefused(Choice.class, "it is final");
		assertRefused(UniqueJob.class, "it is an annotation");
		assertRefused(int.class, "it is not the class of a bean");
		assertRefused(String[].class, "it is not the class of a bean");
		Object proxy = Proxy.newProxyInstance(Task.class.getClassLoader(), new Class<?>[] { Task.class },
				(self, method, args) -> null);
		assertRefused(proxy.getClass(), "Use one of its interfaces [CallRecorderTests.Task]");
	}

	private static void assertRefused(Class<?> type, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallRecorder.record(type, (recorder) -> {
		})).withMessageContaining(reason);
	}

	@Test
	void classIsExtendedOnce() {
		AtomicReference<Class<?>> first = new AtomicReference<>();
		CallRecorder.record(Plain.class, (plain) -> {
			first.set(plain.getClass());
			plain.run();
		});
		CallRecorder.record(Plain.class, (plain) -> {
			assertThat(plain.getClass()).isSameAs(first.get());
			plain.run();
		});
	}

	interface Handler<T> {

		void handle(T command);

	}

	interface Task {

		void handle(Object command);

		default void handleAll() {
			throw new AssertionError("must not run");
		}

	}

	static class Billing implements Handler<String> {

		Billing() {
			throw new AssertionError("must not run");
		}

		public void bill(long customer, String period) {
			throw new AssertionError("must not run");
		}

		@Override
		public void handle(String command) {
			throw new AssertionError("must not run");
		}

		void packagePrivate() {
			throw new AssertionError("must not run");
		}

	}

	static class SpecialBilling extends Billing {

	}

	private static class Hidden {

		Hidden() {
			throw new AssertionError("must not run");
		}

		void run() {
			throw new AssertionError("must not run");
		}

	}

	abstract static class Template {

		abstract void fill();

	}

	static class Plain {

		public int run() {
			return 1;
		}

	}

	interface Results {

		long number();

		boolean flag();

		char letter();

		double real();

		Optional<String> maybe();

	}

	static class WithFinal {

		private final List<String> list = new ArrayList<>();

		final void harmless() {
		}

		final void failing() {
			this.list.add("x");
		}

	}

	static class Elsewhere extends OtherPackage {

	}

	static class Closing {

		public void close() {
			throw new AssertionError("must not run");
		}

		@Override
		@SuppressWarnings({ "deprecation", "removal" })
		protected void finalize() {
			throw new AssertionError("must not run");
		}

		@SuppressWarnings({ "deprecation", "removal" })
		final void callFinalizer() {
			finalize();
		}

	}

	static class FinalJob {

		@UniqueJob
		public final void job() {
			throw new AssertionError("must not run");
		}

	}

	static class PrivateJob {

		@UniqueJob
		private void job() {
			throw new AssertionError("must not run");
		}

	}

	static class StaticJob {

		@UniqueJob
		public static void job() {
			throw new AssertionError("must not run");
		}

	}

	static final class FinalClass {

	}

	record Data(String text) {

	}

	enum Choice {

		YES

	}

	sealed interface Shape permits Circle {

	}

	static final class Circle implements Shape {

	}

	abstract static sealed class SealedClass permits Only {

	}

	static final class Only extends SealedClass {

	}

	static class OnlyPrivate {

		private OnlyPrivate(String text) {
		}

		public void run() {
			throw new AssertionError("must not run");
		}

	}

	static final class Nested extends OnlyPrivate {

		private Nested() {
			super("");
		}

	}

}
