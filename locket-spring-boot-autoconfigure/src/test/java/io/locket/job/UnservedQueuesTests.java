package io.locket.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link UnservedQueues}, with checks run manually.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnservedQueuesTests {

	private static final String WARNING = "No worker takes jobs of queue 'q'";

	private final JobStore store = mock(JobStore.class);

	private final ScheduledExecutorService scheduler = mock(ScheduledExecutorService.class);

	private final List<Runnable> checks = new ArrayList<>();

	private final List<Long> delays = new ArrayList<>();

	private final UnservedQueues queues = new UnservedQueues(() -> this.store, this.scheduler, Duration.ofSeconds(60),
			Set.of("here"));

	UnservedQueuesTests() {
		given(this.scheduler.schedule(any(Runnable.class), anyLong(), any())).willAnswer((invocation) -> {
			this.checks.add(invocation.getArgument(0));
			this.delays.add(invocation.getArgument(1));
			return null;
		});
	}

	@Test
	void queueWhoseJobsAreNotTakenIsLoggedOnce(CapturedOutput output) {
		this.queues.enqueued("q");
		this.queues.enqueued("q");
		assertThat(this.checks).hasSize(1);
		ready(3, 3, 0);
		check();
		assertThat(output).doesNotContain(WARNING);
		check();
		assertThat(output).contains(WARNING + ": 3 job(s) wait")
			.contains("No process of this namespace takes jobs at all");
		assertThat(this.checks).isEmpty();
		this.queues.enqueued("q");
		assertThat(this.checks).isEmpty();
		assertThat(this.delays).containsExactly(60000L, 60000L);
	}

	/**
	 * The caller has enqueued its job already.
	 */
	@Test
	void enqueuedDoesNotFailWhenItsCheckCannotBeScheduled() {
		given(this.scheduler.schedule(any(Runnable.class), anyLong(), any()))
			.willThrow(new OutOfMemoryError("unable to create native thread"))
			.willThrow(new RejectedExecutionException("shut down meanwhile"));
		assertThatNoException().isThrownBy(() -> this.queues.enqueued("q"));
		assertThatNoException().isThrownBy(() -> this.queues.enqueued("other"));
	}

	@Test
	void queueOfAWorkerThatComesLateIsNotWarnedOf(CapturedOutput output) {
		this.queues.enqueued("q");
		ready(3, 3, 0);
		check();
		ready(2, 3, 0);
		check();
		assertThat(this.checks).isEmpty();
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void queueWithJobsThatRunIsNotWarnedOf(CapturedOutput output) {
		this.queues.enqueued("q");
		ready(3, 4, 1);
		check();
		assertThat(this.checks).isEmpty();
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void queueWhoseJobsFailAndAreRetriedIsNotWarnedOf(CapturedOutput output) {
		this.queues.enqueued("q");
		given(this.store.counts("q"))
			.willReturn(new QueueCounts("q", false, 4, 0, 0, Map.of(JobState.READY, 3L, JobState.RETRY, 1L), 0, 0, 0));
		check();
		assertThat(this.checks).isEmpty();
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void queueThatIsPausedOrWhoseJobsAreNotDueIsCheckedLessAndLessOften(CapturedOutput output) {
		this.queues.enqueued("q");
		given(this.store.counts("q"))
			.willReturn(new QueueCounts("q", true, 1, 0, 0, Map.of(JobState.READY, 1L), 0, 0, 0))
			.willReturn(new QueueCounts("q", false, 1, 0, 0, Map.of(JobState.SCHEDULED, 1L), 0, 0, 0));
		for (int i = 0; i < 12; i++) {
			check();
		}
		assertThat(this.checks).isEmpty();
		assertThat(this.delays).hasSize(12).startsWith(60000L, 60000L, 120000L, 240000L);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void checkWithoutAReplyIsRepeated(CapturedOutput output) {
		this.queues.enqueued("q");
		given(this.store.counts("q")).willThrow(new QueueUnavailableException("no reply", null));
		check();
		assertThat(this.checks).hasSize(1);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void queueThatIsServedHereIsNotChecked() {
		this.queues.enqueued("here");
		then(this.scheduler).shouldHaveNoInteractions();
	}

	@Test
	void queuesWhoseNamesAreMadeUpAreBounded() {
		for (int i = 0; i < 2000; i++) {
			this.queues.enqueued("q" + i);
		}
		assertThat(this.checks).hasSizeLessThanOrEqualTo(1000);
	}

	private void ready(long ready, long accepted, long running) {
		given(this.store.counts("q")).willReturn(new QueueCounts("q", false, accepted, 0, 0, Map.of(JobState.READY,
				ready, JobState.RUNNING, running, JobState.SUCCEEDED, accepted - ready - running), 0, 0, 0));
	}

	private void check() {
		this.checks.remove(0).run();
	}

}
