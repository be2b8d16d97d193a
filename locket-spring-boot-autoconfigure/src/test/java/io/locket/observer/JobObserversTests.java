package io.locket.observer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.event.LeadershipGained;
import io.locket.event.publish.JobEventPublisher;
import io.locket.observation.TestRun;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobObservers}.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobObserversTests {

	private static final EnqueueCall CALL = new EnqueueCall("job", "queue", 1, false);

	private static final JobRun RUN = JobRun.direct(TestRun.direct("job", "[]"), false);

	private final List<String> told = new ArrayList<>();

	@Test
	void observersAreNotifiedOfEndsInTheOppositeOrder() {
		JobObservers observers = new JobObservers(() -> List.of(new Named("a"), new Named("b")));
		RunObservation run = observers.running(RUN);
		run.leave();
		run.end(RunOutcome.SUCCEEDED, null);
		assertThat(this.told).containsExactly("a begins", "b begins", "b leaves", "a leaves", "b ends", "a ends");
	}

	@Test
	void observerThatFailsAgainAndAgainIsWarnedOfOnceAMinute(CapturedOutput output) {
		JobObservers observers = new JobObservers(() -> List.of(new Failing(true)));
		for (int i = 0; i < 5; i++) {
			observers.running(RUN).leave();
		}
		assertThat(output.getOut().split("JobObserver .* failed\\.", -1)).hasSize(2);
		assertThat(output).contains(Failing.class.getName());
	}

	@Test
	void listenerThatFailsAgainAndAgainIsWarnedOfOnceAMinute(CapturedOutput output) {
		JobEventPublisher events = new JobEventPublisher(List.of((event) -> {
			throw new IllegalStateException("always");
		}));
		for (int i = 0; i < 5; i++) {
			events.publish(new LeadershipGained(1));
		}
		assertThat(output.getOut().split("JobEventListener .* failed on a LeadershipGained", -1)).hasSize(2);
	}

	@Test
	void endsAreNotifiedOnce() {
		RunObservation run = new JobObservers(() -> List.of(new Named("a"))).running(RUN);
		for (int i = 0; i < 2; i++) {
			run.end(RunOutcome.SUCCEEDED, null);
			run.leave();
		}
		assertThat(this.told).containsExactly("a begins", "a ends", "a leaves");
	}

	@Test
	void observerThatFailsDoesNotAffectOthers() {
		JobObservers observers = new JobObservers(
				() -> List.of(new Failing(false), new Named("a"), new Failing(true), new Named("b")));
		EnqueueObservation enqueue = observers.enqueuing(CALL);
		assertThat(enqueue.trace()).isEqualTo("trace of b");
		enqueue.end("accepted", null);
		RunObservation run = observers.running(RUN);
		run.leave();
		run.end(RunOutcome.FAILED, new IllegalStateException("of the body"));
		assertThat(this.told).containsExactly("b accepted", "a accepted", "a begins", "b begins", "b leaves",
				"a leaves", "b ends", "a ends");
	}

	/**
	 * The last observer is the first one that is requested for a trace.
	 */
	@Test
	void traceIsThatOfAnotherObserverIfOneFails() {
		JobObservers observers = new JobObservers(() -> List.of(new Named("a"), new Failing(true)));
		assertThat(observers.enqueuing(CALL).trace()).isEqualTo("trace of a");
	}

	@Test
	void observersThatDoNotExistYetAreFoundLater() {
		AtomicInteger asked = new AtomicInteger();
		JobObservers observers = new JobObservers(() -> {
			if (asked.incrementAndGet() == 1) {
				throw new IllegalStateException("in creation");
			}
			return List.of(new Named("a"));
		});
		assertThat(observers.running(RUN)).isSameAs(RunObservation.NONE);
		observers.running(RUN);
		observers.running(RUN);
		assertThat(this.told).containsExactly("a begins", "a begins");
		assertThat(asked).hasValue(2);
	}

	@Test
	void nothingIsDoneWithoutObservers() {
		assertThat(JobObservers.none().running(RUN)).isSameAs(RunObservation.NONE);
		assertThat(JobObservers.none().enqueuing(CALL)).isSameAs(EnqueueObservation.NONE);
	}

	/**
	 * Observer that records its name.
	 */
	private final class Named implements JobObserver {

		private final String name;

		private Named(String name) {
			this.name = name;
		}

		@Override
		public EnqueueObservation enqueuing(EnqueueCall call) {
			return new EnqueueObservation() {

				@Override
				public String trace() {
					return "trace of " + Named.this.name;
				}

				@Override
				public void end(String outcome, @Nullable Throwable failure) {
					tell(outcome);
				}

			};
		}

		@Override
		public RunObservation running(JobRun run) {
			tell("begins");
			return new RunObservation() {

				@Override
				public void leave() {
					tell("leaves");
				}

				@Override
				public void end(RunOutcome outcome, @Nullable Throwable failure) {
					tell("ends");
				}

			};
		}

		private void tell(String what) {
			JobObserversTests.this.told.add(this.name + " " + what);
		}

	}

	/**
	 * Observer that fails at once, or at every later notification.
	 */
	private record Failing(boolean later) implements JobObserver {

		@Override
		public EnqueueObservation enqueuing(EnqueueCall call) {
			fail(!this.later);
			return new EnqueueObservation() {

				@Override
				public @Nullable String trace() {
					fail(true);
					return null;
				}

				@Override
				public void end(String outcome, @Nullable Throwable failure) {
					fail(true);
				}

			};
		}

		@Override
		public RunObservation running(JobRun run) {
			fail(!this.later);
			return new RunObservation() {

				@Override
				public void leave() {
					fail(true);
				}

				@Override
				public void end(RunOutcome outcome, @Nullable Throwable failure) {
					fail(true);
				}

			};
		}

		private static void fail(boolean failing) {
			if (failing) {
				throw new AssertionError("an observer that fails");
			}
		}

	}

}
