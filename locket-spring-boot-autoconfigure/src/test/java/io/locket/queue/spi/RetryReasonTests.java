package io.locket.queue.spi;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the reasons of jobs in the state {@link JobState#RETRY}.
 */
class RetryReasonTests extends AbstractQueueTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void jobThatNeverWaitedForARetryHasNoReason() {
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.find("a").retryReason()).isNull();
		assertThat(this.user.take().record().retryReason()).isNull();
	}

	@Test
	void rescheduledJobIsDistinguishedFromOneThatFailed() {
		this.harness.takeForeign(TestJob.key("k"), SECOND);
		this.user
			.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k").onConflict(ConflictStrategy.RESCHEDULE));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertReason("a", RetryReason.RESCHEDULED);
		assertThat(this.store.counts("q").in(JobState.RETRY)).isOne();
		this.user.advance(Duration.ofSeconds(5));
		ReservedJob run = this.user.take();
		assertThat(run.record().retryReason()).isEqualTo(RetryReason.RESCHEDULED);
		this.user.fail(run);
		assertReason("a", RetryReason.FAILED);
	}

	@Test
	void deferredJobIsDistinguishedFromOneThatFailed() {
		this.user.enqueue(TestJob.of("a"));
		this.user.fail(this.user.take());
		assertReason("a", RetryReason.FAILED);
		this.user.advance(SECOND);
		this.user.end(RunEnd.defer(this.user.take(), SECOND, "unknown"));
		assertReason("a", RetryReason.DEFERRED);
		assertThat(this.user.find("a").attempt()).isOne();
	}

	@Test
	void jobThatAWorkerDoesNotKnowIsDeferred() {
		this.user.enqueue(TestJob.of("a"));
		this.user.fail(this.user.take());
		this.user.advance(SECOND);
		ReservedJob run = this.user.take();
		this.user.end(new RunEnd("a", run.token(), RunEnd.Kind.UNKNOWN, Duration.ZERO, "unknown"));
		assertReason("a", RetryReason.DEFERRED);
	}

	@Test
	void reasonStaysWhenARunIsReturnedAndGoesWithAReplacement() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.fail(this.user.take());
		this.user.advance(SECOND);
		this.user.end(RunEnd.returned(this.user.take()));
		assertThat(this.user.find("a").retryReason()).isEqualTo(RetryReason.FAILED);
		this.user
			.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(DuplicateStrategy.REPLACE));
		assertThat(this.user.find("a").retryReason()).isNull();
	}

	private void assertReason(String id, RetryReason reason) {
		assertThat(this.user.state(id)).isEqualTo(JobState.RETRY);
		assertThat(this.user.find(id).retryReason()).isEqualTo(reason);
	}

}
