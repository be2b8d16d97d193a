package io.locket.job;

import java.util.List;

import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import io.locket.event.RecordingJobObserver;
import io.locket.observer.EnqueueCall;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the notification of observers about calls that enqueue.
 */
@ExtendWith(OutputCaptureExtension.class)
class ObservedEnqueueTests {

	private final FailingQueue queue = new FailingQueue();

	private final RecordingJobObserver observer = new RecordingJobObserver();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(FailingQueue.class, () -> this.queue)
		.withBean(RecordingJobObserver.class, () -> this.observer)
		.withBean("letters", Letters.class);

	ObservedEnqueueTests() {
		this.observer.trace = "{}";
	}

	@Test
	void jobIsObservedWithItsOutcomeAndKeepsTheTrace() {
		run((jobs) -> {
			Accepted accepted = (Accepted) jobs.enqueue(EnqueueOptions.now().queue("other"), "letters.send", 1);
			assertThat(this.queue.find(accepted.id()).orElseThrow().trace()).isEqualTo("{}");
			jobs.enqueue("letters.send", 1);
			jobs.enqueue("letters.replace", 1);
			jobs.enqueue("letters.replace", 1);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> {
				jobs.enqueue("letters.raise", 1);
				jobs.enqueue("letters.raise", 1);
			});
			assertThat(this.observer.told).containsExactly("accepted", "duplicate", "accepted", "replaced", "accepted",
					"duplicate DuplicateJobException");
			assertThat(this.observer.calls.get(0)).isEqualTo(new EnqueueCall("letters.send", "other", 1, false));
		});
	}

	@Test
	void callThatFailsIsObserved() {
		run((jobs) -> {
			this.queue.replies = 0;
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> jobs.enqueue("letters.send", 1));
			assertThatExceptionOfType(BulkEnqueueException.class)
				.isThrownBy(() -> jobs.enqueueAll(List.of(JobRequest.of("letters.send", 1))));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.enqueue(EnqueueOptions.now(), "letters.send", "x".repeat(40)));
			assertThat(this.observer.told).containsExactly("failed QueueUnavailableException",
					"failed BulkEnqueueException");
		});
	}

	@Test
	void jobsThatAreEnqueuedTogetherAreOneCallAndShareItsTrace() {
		run((jobs) -> {
			jobs.enqueueAll(List.of(JobRequest.of("letters.send", 1), JobRequest.of("letters.send", 2)));
			jobs.enqueueAll(List.of(JobRequest.of("letters.send", 2),
					JobRequest.of("letters.replace", 2).with(EnqueueOptions.now().queue("other"))));
			jobs.enqueueAll(List.of());
			assertThat(this.observer.calls).containsExactly(new EnqueueCall("letters.send", "default", 2, false),
					new EnqueueCall(null, null, 2, false));
			assertThat(this.observer.told).containsExactly("accepted", "mixed");
			assertThat(this.queue.steps.stream().flatMap(List::stream)).hasSize(4)
				.extracting(NewJob::trace)
				.containsOnly("{}");
		});
	}

	@Test
	void callIsMaskedWhenOneOfItsJobsIs() {
		run((jobs) -> {
			jobs.enqueue("letters.secret", 1);
			jobs.enqueueAll(List.of(JobRequest.of("letters.send", 1), JobRequest.of("letters.secret", 2)));
			assertThat(this.observer.calls).containsExactly(new EnqueueCall("letters.secret", "default", 1, true),
					new EnqueueCall(null, "default", 2, true));
		});
	}

	@Test
	void jobThatWaitsForItsCommitKeepsTheTrace() {
		run((jobs) -> {
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.setActualTransactionActive(true);
			try {
				EnqueueResult result = jobs.enqueue("letters.send", 1);
				assertThat(result).isInstanceOf(EnqueueResult.Deferred.class);
				assertThat(this.observer.told).containsExactly("deferred");
				TransactionSynchronizationManager.getSynchronizations()
					.forEach((waiting) -> waiting.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
			}
			finally {
				TransactionSynchronizationManager.clear();
			}
			assertThat(this.queue.steps).hasSize(1);
			assertThat(this.queue.steps.get(0)).extracting(NewJob::trace).containsExactly("{}");
			assertThat(this.observer.told).hasSize(1);
		});
	}

	@Test
	void traceThatIsTooLongIsNotStoredAndLoggedOnce(CapturedOutput output) {
		run((jobs) -> {
			this.observer.trace = "x".repeat(4096);
			jobs.enqueue("letters.send", 1);
			this.observer.trace = "x".repeat(4097);
			Accepted first = (Accepted) jobs.enqueue("letters.send", 2);
			Accepted second = (Accepted) jobs.enqueue("letters.send", 3);
			assertThat(this.queue.find(first.id()).orElseThrow().trace()).isNull();
			assertThat(this.queue.find(second.id()).orElseThrow().trace()).isNull();
			assertThat(output.getOut().split("The trace context of job letters.send has 4097 characters", -1))
				.hasSize(2);
		});
	}

	@Test
	void traceIsNotStoredWhenItHasAnUnpairedSurrogate(CapturedOutput output) {
		run((jobs) -> {
			this.observer.trace = "{\"tenant\":\"\ud83d\"}";
			Accepted accepted = (Accepted) jobs.enqueue("letters.send", 1);
			assertThat(this.queue.find(accepted.id()).orElseThrow().trace()).isNull();
			assertThat(output).contains("The trace context of job letters.send has an unpaired surrogate");
		});
	}

	private void run(Enqueuing enqueuing) {
		this.contextRunner.run((context) -> enqueuing.with(context.getBean(Jobs.class)));
	}

	@FunctionalInterface
	private interface Enqueuing {

		void with(Jobs jobs);

	}

	static class Letters {

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED)
		public void send(int number) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.REPLACE)
		public void replace(int number) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onDuplicate = DuplicateStrategy.RAISE)
		public void raise(int number) {
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, maskArguments = "true")
		public void secret(int number) {
		}

	}

}
