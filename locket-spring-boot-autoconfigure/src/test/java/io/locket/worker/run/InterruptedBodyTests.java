package io.locket.worker.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.JobContext;
import io.locket.aop.call.BodyInterrupter;
import io.locket.event.RecordingJobObserver;
import io.locket.key.JobKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunEnd.Kind;
import io.locket.queue.spi.RunRenewal;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.TestHandler;
import io.locket.worker.WorkerFixture;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WorkerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the ends of bodies that Locket has interrupted.
 */
@ExtendWith(OutputCaptureExtension.class)
class InterruptedBodyTests {

	private static final Duration LEASE = Duration.ofSeconds(35);

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final CountDownLatch started = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void loopThatStopsAtTheShutdownGoesBackAndTheLogNamesItsJob(CapturedOutput output) throws Exception {
		this.fixture.handle("copy.rows", this::loop);
		assertThat(shutDown("copy.rows").kind()).isEqualTo(Kind.RETURNED);
		assertThat(output.getOut().lines().filter((line) -> line.contains("returns to its place"))).singleElement()
			.asString()
			.contains("Job copy.rows (job-1)")
			.contains("the worker stops")
			.contains("JobContext.markCompleted()");
	}

	@Test
	void interruptOfABodyIsSeenAfterADirectCallInItThatWasInterruptedBefore() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		RunningBody body = bodies.begin(this.queue.reserved("q", "job", LEASE).record());
		BodyInterrupter call = BodyInterrupter.begin();
		call.interrupt();
		bodies.interruptAll();
		call.end();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(body.end()).isEqualTo(RunningBody.Interruption.SHUTDOWN);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptOfABodyIsSeenAfterARunInItHasEnded() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		RunningBody outer = bodies.begin(this.queue.reserved("q", "job", LEASE).record());
		RunningBody inner = bodies.begin(this.queue.reserved("q", "job", LEASE).record());
		outer.interrupt(RunningBody.Interruption.TIMEOUT);
		assertThat(inner.end()).isNull();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(outer.end()).isEqualTo(RunningBody.Interruption.TIMEOUT);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptOfABodyByItselfEndsWithTheBody() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		RunningBody body = bodies.begin(this.queue.reserved("q", "job", LEASE).record());
		Thread.currentThread().interrupt();
		assertThat(body.end()).isNull();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void bodyIsListedUntilItEnds() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		List<RunningBody> listed = new ArrayList<>();
		assertThat(end(bodies, () -> listed.addAll(bodies.running()))).isEqualTo(Kind.SUCCEEDED);
		assertThat(listed).singleElement().asString().startsWith("job job (job-1) on thread ");
		assertThat(bodies.running()).isEmpty();
	}

	@Test
	void observersSeeAnInterruptedRun() throws Exception {
		RecordingJobObserver observer = new RecordingJobObserver();
		this.fixture.observers.add(observer);
		this.fixture.handle("job", this::loop);
		shutDown("job");
		assertThat(observer.told).containsExactly("begin job", "leave", "end INTERRUPTED");
	}

	@Test
	void bodyThatDeclaresItsWorkDoneHasSucceeded() throws Exception {
		this.fixture.handle("job", () -> {
			Object result = loop();
			JobContext.required("job").markCompleted();
			return result;
		});
		assertThat(shutDown("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void declarationBeforeTheInterruptCounts() throws Exception {
		this.fixture.handle("job", () -> {
			JobContext.required("job").markCompleted();
			return loop();
		});
		assertThat(shutDown("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void declarationFromAnotherThreadCounts() throws Exception {
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			Object result = loop();
			CompletableFuture.runAsync(context::markCompleted).join();
			return result;
		});
		assertThat(shutDown("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void bodyThatThrowsAfterItsDeclarationGoesBack() throws Exception {
		this.fixture.handle("job", () -> {
			loop();
			JobContext.required("job").markCompleted();
			throw new IllegalStateException("the commit failed");
		});
		assertThat(shutDown("job").kind()).isEqualTo(Kind.RETURNED);
	}

	@Test
	void declarationSavesNoBodyThatFailsOrTakesTooLong() {
		this.fixture.handle("bad", () -> {
			JobContext.required("bad").markCompleted();
			throw new IllegalStateException("failed");
		});
		this.fixture.handle("slow", () -> {
			JobContext.required("slow").markCompleted();
			return loop();
		}).timeout = Duration.ofMillis(20);
		this.fixture.concurrency = 2;
		this.queue.put("q", "bad");
		this.queue.put("q", "slow");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(Kind.RETRY).size() == 2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void loopThatStopsSinceItsLeaseIsLostGoesBack(boolean interrupted) {
		this.fixture.interruptOnLost = interrupted;
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			while (!context.isLeaseLost()) {
				Thread.onSpinWait();
			}
			return null;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void bodyThatFailsSinceItsLeaseIsLostGoesBack(boolean interrupted) {
		this.fixture.interruptOnLost = interrupted;
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			while (true) {
				context.ensureLease();
			}
		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
	}

	@Test
	void bodyThatLostItsLeaseAndDeclaresItsWorkDoneIsReportedAsSucceeded() {
		this.fixture.handle("job", () -> {
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			Object result = loop();
			JobContext.required("job").markCompleted();
			return result;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void interruptOfTheBodysOwnIsNoReasonToRunAgain() {
		this.fixture.handle("job", () -> {
			Thread.currentThread().interrupt();
			return null;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void stageThatEndsAfterTheInterruptGoesBackUnlessDeclared(boolean completed) throws Exception {
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			CompletableFuture<Object> end = new CompletableFuture<>() {

				@Override
				public boolean cancel(boolean mayInterruptIfRunning) {
					if (completed) {
						context.markCompleted();
					}
					return complete("half");
				}

			};
			this.started.countDown();
			return end;
		});
		assertThat(shutDown("job").kind()).isEqualTo(completed ? Kind.SUCCEEDED : Kind.RETURNED);
	}

	@Test
	void subscriptionThatIsCancelledByTheShutdownGoesBack() throws Exception {
		AtomicInteger cancelled = new AtomicInteger();
		this.fixture.handle("job",
				() -> Mono.never()
					.doOnSubscribe((subscription) -> this.started.countDown())
					.doOnCancel(cancelled::incrementAndGet));
		assertThat(shutDown("job").kind()).isEqualTo(Kind.RETURNED);
		assertThat(cancelled).hasValue(1);
	}

	@Test
	void interruptBetweenTheReturnOfABodyAndItsEndSendsTheJobBack() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		FutureTask<Object> end = new FutureTask<>(() -> null) {

			@Override
			public Object get() {
				bodies.interruptAll();
				return "returned";
			}

		};
		assertThat(end(bodies, () -> end)).isEqualTo(Kind.RETURNED);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptAfterTheEndOfABodyHasNoEffect() {
		RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
		AtomicReference<RunningBody> body = new AtomicReference<>();
		assertThat(end(bodies, () -> {
			body.set(bodies.running().get(0));
			return null;
		})).isEqualTo(Kind.SUCCEEDED);
		bodies.interrupt(body.get(), RunningBody.Interruption.SHUTDOWN);
		bodies.interruptAll();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptsAtAnyMomentSendBackEachBodyThatMayHaveSeenThem() throws Exception {
		for (int i = 0; i < 400; i++) {
			RunningBodies bodies = new RunningBodies(this.fixture.threads.watch());
			CountDownLatch began = new CountDownLatch(1);
			int spins = i * 10;
			Thread interrupter = new Thread(() -> {
				try {
					began.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				spin(2000);
				bodies.interruptAll();
			});
			interrupter.start();
			AtomicReference<Boolean> seen = new AtomicReference<>();
			Kind kind = end(bodies, () -> {
				began.countDown();
				spin(spins);
				seen.set(Thread.currentThread().isInterrupted());
				return null;
			});
			assertThat(Thread.interrupted()).isFalse();
			assertThat(kind).isIn(Kind.SUCCEEDED, Kind.RETURNED);
			if (seen.get()) {
				assertThat(kind).isEqualTo(Kind.RETURNED);
			}
			interrupter.join();
			assertThat(Thread.interrupted()).isFalse();
		}
	}

	private static void spin(int times) {
		for (int i = 0; i < times; i++) {
			Thread.onSpinWait();
		}
	}

	private Kind end(RunningBodies bodies, JobHandler.Body body) {
		WorkerSettings settings = new WorkerSettings("test", "instance", List.of(), Map.of(), Duration.ZERO, true,
				Duration.ofSeconds(10), new RetrySettings(Duration.ofSeconds(15), 2, Duration.ofMinutes(10), 0));
		TestHandler handler = new TestHandler("job", body);
		JobHandlers handlers = (job) -> Optional.of(handler);
		JobRunner runner = new JobRunner(handlers, new UnknownJobs(handlers), settings, bodies,
				new JobObservers(List::of), () -> 0.5, System::nanoTime);
		HeldRun run = new HeldRuns(this.fixture.leases, new JobKeys(), (record) -> false)
			.begin(this.queue.reserved("q", "job", LEASE), System.nanoTime());
		try {
			return runner.run(run).kind();
		}
		finally {
			run.lease().close();
		}
	}

	private Object loop() {
		this.started.countDown();
		int rows = 0;
		while (!Thread.currentThread().isInterrupted()) {
			rows++;
		}
		return rows;
	}

	private RunEnd shutDown(String job) throws InterruptedException {
		this.fixture.grace = Duration.ZERO;
		this.queue.put("q", job);
		this.fixture.start("q");
		assertThat(this.started.await(5, TimeUnit.SECONDS)).isTrue();
		this.fixture.lifecycle().stop();
		assertThat(this.queue.ends).hasSize(1);
		return this.queue.ends.get(0);
	}

	private RunEnd run(String job) {
		this.queue.put("q", job);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		return this.queue.ends.get(0);
	}

}
