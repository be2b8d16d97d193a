package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the claims of jobs with {@link LockStrategy#UNTIL_EXPIRED}, and for their
 * release.
 */
class ClaimTests extends AbstractQueueTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void jobThatIsCancelledBeforeItRanGivesItsClaimBack() {
		for (TestJob job : List.of(job("ready"), job("scheduled").after(SECOND))) {
			String id = job.build().id();
			this.user.enqueue(job);
			assertThat(this.store.cancel(id)).isEqualTo(CancelResult.CANCELLED);
			assertThat(this.user.enqueue(job("after-" + id))).isEqualTo(new Accepted("after-" + id));
			this.store.cancel("after-" + id);
		}
	}

	@Test
	void jobThatIsRemovedBeforeItRanGivesItsClaimBack() {
		this.user.enqueue(job("a"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXPIRED, "other").after(SECOND));
		assertThat(this.store.remove("q")).isEqualTo(2);
		assertThat(this.user.enqueue(job("c"))).isEqualTo(new Accepted("c"));
		assertThat(this.user.enqueue(TestJob.of("d").with(LockStrategy.UNTIL_EXPIRED, "other")))
			.isEqualTo(new Accepted("d"));
	}

	@Test
	void claimIsNotReleasedTwice() {
		this.user.enqueue(job("a"));
		this.store.cancel("a");
		this.user.enqueue(job("b"));
		this.store.cancel("a");
		this.store.remove("elsewhere");
		assertThat(this.user.enqueue(job("c"))).isEqualTo(new Duplicate("b", JobState.READY));
	}

	@Test
	void claimOfAnotherJobStays() {
		this.user.enqueue(job("a"));
		this.user.advance(Duration.ofMinutes(10));
		this.user.enqueue(job("b"));
		this.store.cancel("a");
		assertThat(this.user.enqueue(job("c"))).isEqualTo(new Duplicate("b", JobState.READY));
		this.user.advance(Duration.ofMinutes(10));
		this.harness.claim(TestJob.key("k"), SECOND);
		this.store.cancel("b");
		assertThat(this.user.enqueue(job("d"))).isEqualTo(new Duplicate(null, null));
	}

	@Test
	void jobThatHasRunKeepsItsClaim() {
		this.user.enqueue(job("a"));
		this.user.fail(this.user.take());
		this.store.cancel("a");
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Duplicate("a", JobState.CANCELLED));
	}

	@Test
	void jobThatIsReturnedKeepsItsClaim() {
		this.user.enqueue(job("a"));
		this.user.end(RunEnd.returned(this.user.take()));
		this.store.cancel("a");
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Duplicate("a", JobState.CANCELLED));
	}

	@Test
	void jobOfADeadWorkerKeepsItsClaim() {
		this.user.enqueue(job("a"));
		this.user.take();
		this.user.die();
		this.store.remove("q");
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Duplicate("a", JobState.REMOVED));
	}

	@Test
	void jobThatIsCancelledWhileItRunsKeepsItsClaim() {
		this.user.enqueue(job("a"));
		ReservedJob run = this.user.take();
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.FLAGGED);
		this.user.fail(run);
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Duplicate("a", JobState.CANCELLED));
	}

	/**
	 * A worker without the handler of a job does not run it.
	 */
	@Test
	void jobThatOnlyStrangersHaveTakenGivesItsClaimBack() {
		this.user.enqueue(job("a"));
		this.user.end(RunEnd.defer(this.user.take(), SECOND, "unknown"));
		this.store.cancel("a");
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Accepted("b"));
		ReservedJob run = this.user.take();
		this.store.cancel("b");
		this.user.end(RunEnd.defer(run, SECOND, "unknown"));
		assertThat(this.user.state("b")).isEqualTo(JobState.CANCELLED);
		assertThat(this.user.enqueue(job("c"))).isEqualTo(new Accepted("c"));
	}

	@Test
	void requeuedDeadLetterIsNotRefusedByItsOwnClaimAndPassesItOn() {
		this.user.enqueue(job("a"));
		this.user.kill();
		assertThat(this.user.enqueue(job("b"))).isEqualTo(new Duplicate("a", JobState.DEAD));
		assertThat(this.user.requeue("a", "c")).isEqualTo(new Accepted("c"));
		assertThat(this.user.enqueue(job("d"))).isEqualTo(new Duplicate("c", JobState.READY));
	}

	/**
	 * The run of the dead letter has used the period.
	 */
	@Test
	void claimThatWasPassedOnByADeadLetterThatHasRunIsKept() {
		this.user.enqueue(job("a"));
		this.user.kill();
		this.user.requeue("a", "c");
		this.store.cancel("c");
		assertThat(this.user.enqueue(job("d"))).isEqualTo(new Duplicate("c", JobState.CANCELLED));
	}

	private static TestJob job(String id) {
		return TestJob.of(id).with(LockStrategy.UNTIL_EXPIRED, "k");
	}

}
