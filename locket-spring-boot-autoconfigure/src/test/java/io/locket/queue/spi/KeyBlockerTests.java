package io.locket.queue.spi;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for finding the job or holder that blocks a key.
 */
class KeyBlockerTests extends AbstractQueueTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "DEFAULT", "NONE" })
	void jobIsFoundInTheStatesInWhichItKeepsOthersOut(LockStrategy lock) {
		boolean waits = lock != LockStrategy.WHILE_EXECUTING;
		boolean runs = lock != LockStrategy.UNTIL_EXECUTING;
		boolean leases = lock.leasesQueuedRuns();
		assertThat(blocker()).isNull();
		this.user.enqueue(TestJob.of("first"));
		this.user.enqueue(TestJob.of("a").with(lock, "k").retries(0).after(Duration.ofSeconds(5)));
		assertThat(blocker()).isEqualTo(waits ? job("a", JobState.SCHEDULED, -1) : null);
		this.user.advance(Duration.ofSeconds(5));
		this.user.serve();
		assertThat(blocker()).isEqualTo(waits ? job("a", JobState.READY, 1) : null);
		this.user.succeed(this.user.take());
		assertThat(blocker()).isEqualTo(waits ? job("a", JobState.READY, 0) : null);
		ReservedJob run = this.user.take();
		LeaseHolder holder = leases ? new LeaseHolder("host/1/w", "thread-w", this.harness.now(), run.fence()) : null;
		assertThat(blocker())
			.isEqualTo(runs ? new KeyBlocker("a", JobState.RUNNING, "q", KeyBlocker.NO_POSITION, holder) : null);
		this.user.end(RunEnd.returned(run));
		assertThat(blocker()).isEqualTo(waits ? job("a", JobState.READY, 0) : null);
		this.user.succeed(this.user.take());
		boolean claims = lock == LockStrategy.UNTIL_EXPIRED;
		assertThat(blocker()).isEqualTo(claims ? job("a", JobState.SUCCEEDED, -1) : null);
		this.user.advance(Duration.ofMinutes(10));
		assertThat(blocker()).isNull();
	}

	@Test
	void jobThatWaitsForARetryIsFound() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.fail(this.user.take());
		assertThat(blocker()).isEqualTo(job("a", JobState.RETRY, -1));
	}

	@ParameterizedTest
	@EnumSource(names = { "WHILE_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void firstOfThoseWhoParkIsFound(LockStrategy lock) {
		this.harness.takeForeign(TestJob.key("k"), PERIOD);
		this.user.enqueue(TestJob.of("a").with(lock, "k"));
		this.user.enqueue(TestJob.of("b").with(lock, "k"));
		this.user.reserve(2, "q");
		assertThat(blocker())
			.isEqualTo(new KeyBlocker("a", JobState.PARKED, "q", KeyBlocker.NO_POSITION, LeaseHolder.foreign()));
		this.user.advance(PERIOD);
		this.user.serve();
		assertThat(blocker()).isEqualTo(job("a", JobState.READY, 0));
	}

	@Test
	void jobThatRunsBesideOneThatWaitsIsTheHolderOnly() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		ReservedJob run = this.user.take();
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		assertThat(blocker()).isEqualTo(new KeyBlocker("b", JobState.READY, "q", 0,
				new LeaseHolder("host/1/w", "thread-w", this.harness.now(), run.fence())));
	}

	@Test
	void restOfAMinimumHoldIsOfTheJobThatLeftIt() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k").holdAtLeast(Duration.ofSeconds(20)));
		this.user.succeed(this.user.take());
		assertThat(blocker().id()).isEqualTo("a");
		assertThat(blocker().state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(blocker().holder().instance()).isEqualTo("host/1/w");
		this.user.advance(Duration.ofSeconds(20));
		assertThat(blocker()).isNull();
	}

	@Test
	void thoseWhoAreNotInTheQueueAreFound() {
		this.harness.takeForeign(TestJob.key("k"), PERIOD);
		assertThat(blocker()).isEqualTo(KeyBlocker.ofHolder(LeaseHolder.foreign()));
		this.user.advance(PERIOD);
		assertThat(blocker()).isNull();
		LeaseHolder claimant = this.harness.claimant();
		this.harness.claim(TestJob.key("k"), PERIOD);
		assertThat(blocker()).isEqualTo(KeyBlocker.ofHolder(claimant));
		this.user.advance(PERIOD);
		assertThat(blocker()).isNull();
	}

	@Test
	void claimThatOutlivesItsJobCountsOnlyWhereClaimsDo() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXPIRED, "k"));
		assertThat(blockerOfOtherStrategy()).isEqualTo(job("a", JobState.READY, 0));
		ReservedJob run = this.user.take();
		assertThat(blockerOfOtherStrategy()).isEqualTo(job("a", JobState.RUNNING, -1));
		this.user.succeed(run);
		assertThat(blockerOfOtherStrategy()).isNull();
		assertThat(blocker()).isEqualTo(job("a", JobState.SUCCEEDED, -1));
		this.harness.takeForeign(TestJob.key("k"), PERIOD);
		assertThat(blockerOfOtherStrategy()).isEqualTo(KeyBlocker.ofHolder(LeaseHolder.foreign()));
	}

	@Test
	void claimOfADirectCallCountsOnlyWhereClaimsDo() {
		this.harness.claim(TestJob.key("k"), PERIOD);
		assertThat(blocker()).isNotNull();
		assertThat(blockerOfOtherStrategy()).isNull();
	}

	@Test
	void jobWhoseCapHasPassedIsNotFound() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(PERIOD));
		assertThat(blocker()).isEqualTo(job("a", JobState.READY, 0));
		this.user.advance(PERIOD);
		assertThat(blocker()).isNull();
	}

	@Test
	void queryTakesAndFreesNothing() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").onConflict(ConflictStrategy.REJECT));
		blocker();
		assertThat(this.store.blocker(TestJob.key("other"), true)).isEmpty();
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	private static KeyBlocker job(String id, JobState state, long position) {
		return new KeyBlocker(id, state, "q", position, null);
	}

	private KeyBlocker blockerOfOtherStrategy() {
		return this.store.blocker(TestJob.key("k"), false).orElse(null);
	}

	private KeyBlocker blocker() {
		return this.store.blocker(TestJob.key("k"), true).orElse(null);
	}

}
