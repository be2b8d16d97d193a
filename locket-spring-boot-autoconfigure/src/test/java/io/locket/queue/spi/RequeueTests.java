package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for requeuing dead letters.
 */
class RequeueTests extends AbstractQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFAULT")
	void deadLetterIsEnqueuedAsItWas(LockStrategy lock) {
		this.user.enqueue(TestJob.of("a")
			.with(lock, TestJob.key("k", "[\"masked\"]"))
			.arguments("[1.50,[]]")
			.onConflict(ConflictStrategy.RESCHEDULE)
			.holdAtLeast(Duration.ofSeconds(1))
			.retries(1)
			.leaseFor(Duration.ofSeconds(20))
			.trace("trace"));
		this.user.fail(this.user.take());
		this.user.advance(Duration.ofSeconds(1));
		this.user.fail(this.user.take());
		assertThat(this.user.state("a")).isEqualTo(JobState.DEAD);
		JobRecord letter = this.user.find("a");
		this.user.advance(MINUTE);
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		JobRecord job = this.user.find("b");
		assertThat(job).isEqualTo(new JobRecord(letter.version(), "b", letter.job(), letter.queue(), letter.arguments(),
				letter.key(), letter.lock(), letter.onConflict(), JobState.READY, this.harness.now(), null, null, null,
				0, letter.retries(), 0, null, letter.leaseFor(), false, null, letter.trace(), null, null, null, null));
		assertThat(this.user.find("a").requeuedAs()).isEqualTo("b");
		assertThat(this.user.find("a").endedAt()).isEqualTo(letter.endedAt());
		assertThat(this.store.counts("q").accepted()).isEqualTo(2);
		this.user.succeed(this.user.take());
		assertThat(this.user.state("b")).isEqualTo(JobState.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFAULT")
	void repetitionHasTheFirstResult(LockStrategy lock) {
		die("a", lock);
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		assertThat(this.user.requeue("a", "c")).isEqualTo(new Duplicate("b", JobState.READY));
		this.user.succeed(this.user.take());
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		assertThat(this.user.requeue("a", "c")).isEqualTo(new Duplicate("b", JobState.SUCCEEDED));
		assertThat(this.store.find("c")).isEmpty();
		assertThat(this.store.counts("q").accepted()).isEqualTo(2);
	}

	@Test
	void repetitionHasTheFirstResultAlsoIfTheLetterHasBecomeAnotherJobSince() {
		die("a", LockStrategy.NONE);
		this.user.enqueue(TestJob.of("taken"));
		assertThat(this.user.requeue("a", "taken")).isEqualTo(new Duplicate("taken", JobState.READY));
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		assertThat(this.user.requeue("a", "taken")).isEqualTo(new Duplicate("taken", JobState.READY));
		assertThat(this.store.counts("q").accepted()).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource(names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void deadLetterStaysWhenItsKeyIsTaken(LockStrategy lock) {
		die("a", lock);
		this.user.enqueue(TestJob.of("b").with(lock, "k"));
		assertThat(this.user.requeue("a", "c")).isEqualTo(new Duplicate("b", JobState.READY));
		assertThat(this.store.find("c")).isEmpty();
		assertThat(this.user.find("a").requeuedAs()).isNull();
		this.user.succeed(this.user.take());
		assertThat(this.user.requeue("a", "d")).isEqualTo(new Accepted("d"));
		assertThat(this.user.enqueue(TestJob.of("e").with(lock, "k"))).isEqualTo(new Duplicate("d", JobState.READY));
	}

	@Test
	void claimOfTheDeadLetterPassesOnForTheRestOfItsTime() {
		die("a", LockStrategy.UNTIL_EXPIRED);
		this.user.advance(Duration.ofMinutes(4));
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new Duplicate("b", JobState.READY));
		this.user.kill();
		assertThat(this.user.requeue("b", "d")).isEqualTo(new Accepted("d"));
		this.user.advance(Duration.ofMinutes(6));
		assertThat(this.user.enqueue(TestJob.of("e").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new Accepted("e"));
	}

	@Test
	void deadLetterWhoseClaimIsOverClaimsAnew() {
		die("a", LockStrategy.UNTIL_EXPIRED);
		this.user.advance(Duration.ofMinutes(10));
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
		this.user.advance(Duration.ofMinutes(9));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new Duplicate("b", JobState.READY));
		this.user.advance(MINUTE);
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXPIRED, "k")))
			.isEqualTo(new Accepted("c"));
	}

	@Test
	void deadLetterStaysWhenAnotherJobHasClaimedItsPeriod() {
		die("a", LockStrategy.UNTIL_EXPIRED);
		this.user.advance(Duration.ofMinutes(10));
		this.harness.claim(TestJob.key("k"), MINUTE);
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Duplicate(null, null));
		this.user.advance(MINUTE);
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Accepted("b"));
	}

	@Test
	void capIsCountedAnew() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(MINUTE));
		this.user.kill();
		this.user.advance(Duration.ofMinutes(5));
		this.user.requeue("a", "b");
		this.user.advance(MINUTE.minusMillis(1));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new Duplicate("b", JobState.READY));
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new Accepted("c"));
	}

	@Test
	void twoDeadLettersOfOneKeyAreNotRequeuedTogether() {
		die("a", LockStrategy.UNTIL_EXECUTED);
		die("b", LockStrategy.UNTIL_EXECUTED);
		die("c", LockStrategy.NONE);
		assertThat(this.store
			.requeue(List.of(new RequeuedJob("a", "a2"), new RequeuedJob("b", "b2"), new RequeuedJob("c", "c2"))))
			.containsExactly(new Accepted("a2"), new Duplicate("a2", JobState.READY), new Accepted("c2"));
	}

	@Test
	void deadLetterIsRequeuedWithTheArgumentsThatItTookFromAnother() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").arguments("[1]"));
		this.user.enqueue(TestJob.of("b")
			.with(LockStrategy.UNTIL_EXECUTED, "k")
			.arguments("[2]")
			.onDuplicate(DuplicateStrategy.REPLACE));
		this.user.kill();
		this.user.requeue("a", "c");
		assertThat(this.user.find("c").arguments()).isEqualTo("[2]");
	}

	@Test
	void deadLetterIsRequeuedIntoTheQueueInWhichItDied() {
		this.user.enqueue(TestJob.of("a").in("other"));
		this.user.move("a", "q");
		this.user.kill();
		this.store.remove("q");
		this.user.requeue("a", "b");
		this.user.succeed(this.user.take());
		assertThat(this.user.state("b")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void jobThatIsNoDeadLetterIsNotRequeued() {
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.requeue("a", "b")).isEqualTo(new Duplicate("a", JobState.READY));
		assertThat(this.user.requeue("nobody", "b")).isEqualTo(new Duplicate("nobody", null));
		this.user.kill();
		this.user.enqueue(TestJob.of("there"));
		assertThat(this.user.requeue("a", "there")).isEqualTo(new Duplicate("there", JobState.READY));
		assertThat(this.store.requeue(List.of())).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> new RequeuedJob("a", "no id"));
	}

	private void die(String id, LockStrategy lock) {
		this.user.enqueue(TestJob.of(id).with(lock, "k"));
		assertThat(this.user.kill()).isEqualTo(id);
	}

}
