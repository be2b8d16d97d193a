package io.locket.queue;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for finding out who keeps a key from others.
 */
class KeyOccupantTests extends AbstractQueueTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "DEFAULT", "NONE" })
	void jobIsFoundInTheStatesInWhichItKeepsOthersOut(LockStrategy lock) {
		boolean waits = lock != LockStrategy.WHILE_EXECUTING;
		boolean runs = lock != LockStrategy.UNTIL_EXECUTING;
		boolean leases = lock.leasesQueuedRuns();
		assertThat(occupant()).isNull();
		this.user.enqueue(TestJob.of("first"));
		this.user.enqueue(TestJob.of("a").with(lock, "k").retries(0).after(Duration.ofSeconds(5)));
		assertThat(occupant()).isEqualTo(waits ? job("a", JobState.SCHEDULED, -1) : null);
		this.user.advance(Duration.ofSeconds(5));
		this.user.serve();
		assertThat(occupant()).isEqualTo(waits ? job("a", JobState.READY, 1) : null);
		this.user.succeed(this.user.take());
		assertThat(occupant()).isEqualTo(waits ? job("a", JobState.READY, 0) : null);
		ReservedJob run = this.user.take();
		LeaseHolder holder = leases ? new LeaseHolder("host/1/w", "thread-w", this.harness.now(), run.fence()) : null;
		assertThat(occupant()).isEqualTo(runs ? new KeyOccupant("a", JobState.RUNNING, "q", -1, holder) : null);
		this.user.end(RunEnd.returned(run));
		assertThat(occupant()).isEqualTo(waits ? job("a", JobState.READY, 0) : null);
		this.user.succeed(this.user.take());
		boolean claims = lock == LockStrategy.UNTIL_EXPIRED;
		assertThat(occupant()).isEqualTo(claims ? job("a", JobState.SUCCEEDED, -1) : null);
		this.user.advance(Duration.ofMinutes(10));
		assertThat(occupant()).isNull();
	}

	@Test
	void jobThatWaitsForARetryIsFound() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		this.user.fail(this.user.take());
		assertThat(occupant()).isEqualTo(job("a", JobState.RETRY, -1));
	}

	@ParameterizedTest
	@EnumSource(names = { "WHILE_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void firstOfThoseWhoParkIsFound(LockStrategy lock) {
		this.harness.takeForeign(TestJob.key("k"), PERIOD);
		this.user.enqueue(TestJob.of("a").with(lock, "k"));
		this.user.enqueue(TestJob.of("b").with(lock, "k"));
		this.user.reserve(2, "q");
		assertThat(occupant()).isEqualTo(new KeyOccupant("a", JobState.PARKED, "q", -1, LeaseHolder.foreign()));
		this.user.advance(PERIOD);
		this.user.serve();
		assertThat(occupant()).isEqualTo(job("a", JobState.READY, 0));
	}

	@Test
	void jobThatRunsBesideOneThatWaitsIsTheHolderOnly() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		ReservedJob run = this.user.take();
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		assertThat(occupant()).isEqualTo(new KeyOccupant("b", JobState.READY, "q", 0,
				new LeaseHolder("host/1/w", "thread-w", this.harness.now(), run.fence())));
	}

	@Test
	void restOfAMinimumHoldIsOfTheJobThatLeftIt() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k").holdAtLeast(Duration.ofSeconds(20)));
		this.user.succeed(this.user.take());
		assertThat(occupant().id()).isEqualTo("a");
		assertThat(occupant().state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(occupant().holder().instance()).isEqualTo("host/1/w");
		this.user.advance(Duration.ofSeconds(20));
		assertThat(occupant()).isNull();
	}

	@Test
	void thoseWhoAreNotInTheQueueAreFound() {
		this.harness.takeForeign(TestJob.key("k"), PERIOD);
		assertThat(occupant()).isEqualTo(new KeyOccupant(null, null, null, -1, LeaseHolder.foreign()));
		this.user.advance(PERIOD);
		assertThat(occupant()).isNull();
		LeaseHolder claimant = this.harness.claimant();
		this.harness.claim(TestJob.key("k"), PERIOD);
		assertThat(occupant()).isEqualTo(new KeyOccupant(null, null, null, -1, claimant));
		this.user.advance(PERIOD);
		assertThat(occupant()).isNull();
	}

	@Test
	void jobWhoseCapHasPassedIsNotFound() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(PERIOD));
		assertThat(occupant()).isEqualTo(job("a", JobState.READY, 0));
		this.user.advance(PERIOD);
		assertThat(occupant()).isNull();
	}

	@Test
	void lookTakesAndFreesNothing() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").onConflict(ConflictStrategy.REJECT));
		occupant();
		assertThat(this.store.occupant(TestJob.key("other"))).isEmpty();
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	private static KeyOccupant job(String id, JobState state, long position) {
		return new KeyOccupant(id, state, "q", position, null);
	}

	private KeyOccupant occupant() {
		return this.store.occupant(TestJob.key("k")).orElse(null);
	}

}
