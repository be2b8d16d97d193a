package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.UpdateAction.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for moving, starting and dismissing jobs.
 */
class BulkUpdateTests extends AbstractQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private int steps;

	@Test
	void jobThatIsReadyGoesToTheEndOfTheOtherQueue() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b").in("other"));
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.DONE);
		this.user.enqueue(TestJob.of("c").in("other"));
		assertThat(this.user.find("a").queue()).isEqualTo("other");
		assertThat(this.user.reserve(9, "q").jobs()).isEmpty();
		assertThat(ids(this.user.reserve(9, "other").jobs())).containsExactly("b", "a", "c");
		assertMoves(1);
	}

	@Test
	void jobKeepsItsDueTimeWhenItIsMoved() {
		this.user.enqueue(TestJob.of("scheduled").after(Duration.ofSeconds(10)));
		this.user.enqueue(TestJob.of("retry"));
		this.user.fail(this.user.take());
		assertThat(this.user.move("scheduled", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.move("retry", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.state("scheduled")).isEqualTo(JobState.SCHEDULED);
		assertThat(this.user.state("retry")).isEqualTo(JobState.RETRY);
		assertThat(this.user.reserve(1, "other").jobs()).isEmpty();
		this.user.advance(Duration.ofSeconds(1));
		assertThat(ids(this.user.reserve(1, "other").jobs())).containsExactly("retry");
		this.user.advance(Duration.ofSeconds(9));
		assertThat(ids(this.user.reserve(1, "other").jobs())).containsExactly("scheduled");
		assertMoves(2);
	}

	@Test
	void parkedJobWaitsForItsKeyInTheOtherQueue() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		for (String id : List.of("a", "b", "c")) {
			this.user.enqueue(TestJob.of(id).with(LockStrategy.WHILE_EXECUTING, "k"));
		}
		this.user.reserve(3, "q");
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.state("a")).isEqualTo(JobState.PARKED);
		assertThat(this.store.verify()).isEmpty();
		this.user.advance(MINUTE);
		assertThat(ids(this.user.reserve(9, "other").jobs())).containsExactly("a");
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertMoves(1);
	}

	@Test
	void parkedJobThatIsMovedAloneIsStillChecked() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		this.harness.releaseForeign(TestJob.key("k"));
		this.user.move("a", "other");
		assertThat(ids(this.user.reserve(1, "other").jobs())).containsExactly("a");
	}

	@Test
	void promotedJobThatIsMovedIsFollowedByTheNext() {
		promoteFirstOfTwo();
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertThat(this.store.verify()).isEmpty();
		ReservedJob a = this.user.take("other");
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.succeed(a);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void promotedJobThatIsCancelledIsFollowedByTheNext() {
		promoteFirstOfTwo();
		assertThat(this.store.cancel("a")).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "DEFAULT", "NONE", "WHILE_EXECUTING" })
	void jobKeepsItsKeyWhenItIsMoved(LockStrategy lock) {
		this.user.enqueue(TestJob.of("a").with(lock, "k"));
		this.user.move("a", "other");
		assertThat(this.user.enqueue(TestJob.of("b").with(lock, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.READY));
		this.user.succeed(this.user.take("other"));
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void jobThatRunsOrHasEndedIsNotMoved() {
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.REFUSED);
		this.user.succeed(job);
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.REFUSED);
		assertThat(this.user.move("nobody", "other")).isEqualTo(UpdateResult.UNKNOWN);
		assertMoves(0);
	}

	@Test
	void jobThatIsThereAlreadyStaysInItsPlace() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		assertThat(this.user.move("a", "q")).isEqualTo(UpdateResult.DONE);
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("a", "b");
		assertThat(this.store.counts("q").movedIn()).isZero();
	}

	@Test
	void queueThatIsPausedTakesWhatIsMoved() {
		this.store.pause("other");
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.move("a", "other")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.reserve(1, "other").jobs()).isEmpty();
		this.store.resume("other");
		assertThat(this.user.take("other").record().id()).isEqualTo("a");
	}

	@Test
	void earlierRemovalOfTheOtherQueueDoesNotTakeWhatIsMoved() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b").in("other"));
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.store.remove("other")).isOne();
		this.user.move("a", "other");
		ReservedJob job = this.user.take("other");
		assertThat(this.user.renew(job).cancelled()).isFalse();
		this.user.fail(job);
		this.user.advance(Duration.ofSeconds(1));
		this.user.succeed(this.user.take("other"));
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void laterRemovalOfTheOtherQueueTakesWhatWasMoved() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		this.user.move("a", "other");
		this.user.move("b", "other");
		ReservedJob job = this.user.take("other");
		assertThat(this.store.remove("other")).isOne();
		assertThat(this.user.state("b")).isEqualTo(JobState.REMOVED);
		this.user.succeed(job);
		assertThat(this.user.state("a")).isEqualTo(JobState.REMOVED);
		assertThat(this.store.remove("q")).isZero();
	}

	@Test
	void removalOfTheQueueThatAJobHasLeftDoesNotTakeIt() {
		this.user.enqueue(TestJob.of("a"));
		this.user.move("a", "other");
		assertThat(this.store.remove("q")).isZero();
		this.user.move("a", "q");
		this.user.succeed(this.user.take());
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void jobThatIsNotDueRunsNowBehindTheOthers() {
		this.user.enqueue(TestJob.of("retry"));
		this.user.fail(this.user.take());
		this.user.enqueue(TestJob.of("scheduled").after(MINUTE));
		this.user.enqueue(TestJob.of("ready"));
		for (String id : List.of("scheduled", "retry", "ready")) {
			assertThat(this.user.update(Kind.RUN_NOW, id)).as(id).isEqualTo(UpdateResult.DONE);
		}
		assertThat(this.user.find("scheduled").startAt()).isEqualTo(this.harness.now());
		assertThat(ids(this.user.reserve(9, "q").jobs())).containsExactly("ready", "scheduled", "retry");
	}

	/**
	 * Its delay counts from the time at which it was due.
	 */
	@Test
	void overdueJobThatRunsNowKeepsItsDueTime() {
		this.user.enqueue(TestJob.of("a").after(MINUTE));
		this.user.advance(MINUTE);
		Instant due = this.harness.now();
		this.user.advance(MINUTE);
		assertThat(this.user.update(Kind.RUN_NOW, "a")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
	}

	@Test
	void jobThatWaitsIsDueAtAnotherTime() {
		this.user.enqueue(TestJob.of("retry"));
		this.user.fail(this.user.take());
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("parked").with(LockStrategy.WHILE_EXECUTING, "k"));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.enqueue(TestJob.of("scheduled").after(MINUTE));
		this.user.enqueue(TestJob.of("ready"));
		Instant at = this.harness.now().plus(MINUTE.multipliedBy(2));
		for (String id : List.of("scheduled", "retry", "ready", "parked")) {
			assertThat(reschedule(id, at)).as(id).isEqualTo(UpdateResult.DONE);
			assertThat(this.user.find(id).startAt()).as(id).isEqualTo(at);
			assertThat(this.user.state(id)).as(id).isEqualTo(id.equals("retry") ? JobState.RETRY : JobState.SCHEDULED);
		}
		this.user.advance(MINUTE.multipliedBy(2).minusMillis(1));
		assertThat(this.user.reserve(9, "q").jobs()).isEmpty();
		this.user.advance(Duration.ofMillis(1));
		assertThat(ids(this.user.reserve(9, "q").jobs())).containsExactlyInAnyOrder("scheduled", "retry", "ready",
				"parked");
	}

	@Test
	void jobIsDueAtOnceAtATimeThatHasPassed() {
		this.user.enqueue(TestJob.of("scheduled").after(MINUTE));
		this.user.enqueue(TestJob.of("retry"));
		this.user.fail(this.user.take());
		this.user.enqueue(TestJob.of("first"));
		for (String id : List.of("retry", "scheduled", "first")) {
			assertThat(reschedule(id, this.harness.now())).as(id).isEqualTo(UpdateResult.DONE);
		}
		assertThat(ids(this.user.reserve(9, "q").jobs())).containsExactly("first", "retry", "scheduled");
	}

	@Test
	void jobThatRunsOrIsOverIsNotRescheduled() {
		Instant at = this.harness.now().plus(MINUTE);
		this.user.enqueue(TestJob.of("a"));
		ReservedJob job = this.user.take();
		assertThat(reschedule("a", at)).isEqualTo(UpdateResult.REFUSED);
		this.user.succeed(job);
		assertThat(reschedule("a", at)).isEqualTo(UpdateResult.REFUSED);
		assertThat(reschedule("nobody", at)).isEqualTo(UpdateResult.UNKNOWN);
	}

	@Test
	void jobIsRescheduledOnlyAsItWasSeenAndOnce() {
		this.user.enqueue(TestJob.of("a").after(MINUTE));
		Instant seen = this.user.find("a").startAt();
		Instant at = seen.plus(MINUTE);
		UpdateAction action = new UpdateAction(Kind.RESCHEDULE, null, at, "step");
		List<ExpectedJob> jobs = List.of(new ExpectedJob("a", Set.of(), null, null, seen));
		assertThat(this.store.update(action, jobs)).containsExactly(UpdateResult.DONE);
		assertThat(reschedule("a", at.plus(MINUTE))).isEqualTo(UpdateResult.DONE);
		assertThat(this.store.update(action, jobs)).containsExactly(UpdateResult.DONE);
		assertThat(this.user.find("a").startAt()).isEqualTo(at.plus(MINUTE));
		UpdateAction other = new UpdateAction(Kind.RESCHEDULE, null, at, "other");
		assertThat(this.store.update(other, jobs)).containsExactly(UpdateResult.REFUSED);
	}

	@Test
	void uniquenessThatCountsFromTheDueTimeMovesWithIt() {
		Duration hour = Duration.ofHours(1);
		for (LockStrategy lock : List.of(LockStrategy.UNTIL_EXECUTED, LockStrategy.UNTIL_EXPIRED)) {
			String key = lock.name();
			this.user.enqueue(TestJob.of(key).with(lock, key).uniqueFor(hour).after(MINUTE));
			assertThat(reschedule(key, this.harness.now().plus(hour.multipliedBy(3)))).isEqualTo(UpdateResult.DONE);
		}
		this.user.advance(hour.multipliedBy(4).minusMillis(1));
		for (LockStrategy lock : List.of(LockStrategy.UNTIL_EXECUTED, LockStrategy.UNTIL_EXPIRED)) {
			assertThat(this.user.enqueue(TestJob.of("again").with(lock, lock.name()).uniqueFor(hour))).as(lock.name())
				.isInstanceOf(EnqueueResult.Duplicate.class);
		}
		this.user.advance(Duration.ofMillis(1));
		for (LockStrategy lock : List.of(LockStrategy.UNTIL_EXECUTED, LockStrategy.UNTIL_EXPIRED)) {
			assertThat(this.user.enqueue(TestJob.of("later" + lock).with(lock, lock.name()).uniqueFor(hour)))
				.as(lock.name())
				.isInstanceOf(EnqueueResult.Accepted.class);
		}
	}

	@Test
	void uniquenessOfAJobThatIsDueInThePastCountsFromNow() {
		Duration hour = Duration.ofHours(1);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(hour).after(MINUTE));
		assertThat(reschedule("a", this.harness.now().minus(hour))).isEqualTo(UpdateResult.DONE);
		this.user.advance(hour.minusMillis(1));
		assertThat(this.user.enqueue(TestJob.of("again").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isInstanceOf(EnqueueResult.Duplicate.class);
	}

	@Test
	void uniquenessThatIsOverDoesNotBeginAgainWhenAJobIsRescheduled() {
		Duration hour = Duration.ofHours(1);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k").uniqueFor(hour));
		this.user.advance(hour);
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k"));
		assertThat(reschedule("a", this.harness.now().plus(MINUTE))).isEqualTo(UpdateResult.DONE);
		assertThat(this.store.verify()).isEmpty();
		this.user.succeed(this.user.take());
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("c"));
	}

	@Test
	void jobThatWasSetAsideHasADayAgainWhenItIsRescheduled() {
		this.user.enqueue(TestJob.of("a"));
		this.user.end(RunEnd.unknown(this.user.take(), "unknown"));
		Instant at = this.harness.now().plus(Duration.ofDays(3));
		assertThat(reschedule("a", at)).isEqualTo(UpdateResult.DONE);
		this.user.advance(Duration.ofDays(3));
		this.user.end(RunEnd.unknown(this.user.take(), "unknown"));
		assertThat(this.user.find("a").startAt()).isEqualTo(at.plus(Duration.ofDays(1)));
	}

	/**
	 * Parks the jobs a and b on a key, which then becomes free, so that a is ready again.
	 */
	private void promoteFirstOfTwo() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(2, "q");
		this.user.advance(MINUTE);
		this.user.serve();
	}

	private UpdateAction action(Kind kind, String step) {
		return new UpdateAction(kind, (kind == Kind.MOVE) ? "other" : null,
				(kind == Kind.RESCHEDULE) ? this.harness.now().plusSeconds(30) : null, step);
	}

	private UpdateResult reschedule(String id, Instant at) {
		return this.store
			.update(new UpdateAction(Kind.RESCHEDULE, null, at, "step" + this.steps++), List.of(ExpectedJob.of(id)))
			.get(0);
	}

	@Test
	void jobThatWaitsForItsKeyOrIsOverDoesNotRunNow() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		assertThat(this.user.update(Kind.RUN_NOW, "a")).isEqualTo(UpdateResult.REFUSED);
		this.store.cancel("a");
		assertThat(this.user.update(Kind.RUN_NOW, "a")).isEqualTo(UpdateResult.REFUSED);
		assertThat(this.user.update(Kind.RUN_NOW, "nobody")).isEqualTo(UpdateResult.UNKNOWN);
	}

	@Test
	void deadLetterThatIsDismissedIsKeptWithWhatHasEnded() {
		this.user.enqueue(TestJob.of("a"));
		this.user.kill();
		this.user.advance(MINUTE);
		assertThat(this.user.update(Kind.DISMISS, "a")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.update(Kind.DISMISS, "a")).isEqualTo(UpdateResult.DONE);
		assertThat(this.user.state("a")).isEqualTo(JobState.DEAD);
		assertThat(this.user.find("a").endedAt()).isEqualTo(this.harness.now().minus(MINUTE));
		assertThat(this.store.counts("q").in(JobState.DEAD)).isOne();
		assertThat(this.user.requeue("a", "again")).isEqualTo(new EnqueueResult.Duplicate("a", JobState.DEAD));
	}

	@Test
	void nothingElseIsDismissed() {
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.update(Kind.DISMISS, "a")).isEqualTo(UpdateResult.REFUSED);
		this.user.succeed(this.user.take());
		assertThat(this.user.update(Kind.DISMISS, "a")).isEqualTo(UpdateResult.REFUSED);
	}

	@ParameterizedTest
	@EnumSource
	void jobIsUpdatedOnlyAsItWasSeen(Kind kind) {
		this.user.enqueue(TestJob.of("a").arguments("[1]").after(MINUTE));
		if (kind == Kind.DISMISS) {
			this.user.update(Kind.RUN_NOW, "a");
			this.user.kill();
		}
		JobState state = this.user.state("a");
		UpdateAction action = action(kind, "step");
		JobRecord before = this.user.find("a");
		assertThat(this.store.update(action,
				List.of(new ExpectedJob("a", Set.of(JobState.SUCCEEDED, JobState.RUNNING), null, null, null),
						new ExpectedJob("a", Set.of(), null, "[2]", null),
						new ExpectedJob("a", Set.of(), "other", null, null), ExpectedJob.of("b"))))
			.containsExactly(UpdateResult.REFUSED, UpdateResult.REFUSED, UpdateResult.REFUSED, UpdateResult.UNKNOWN);
		assertThat(this.user.find("a")).isEqualTo(before);
		assertThat(this.store.update(action,
				List.of(new ExpectedJob("a", EnumSet.of(JobState.READY, state), "q", "[1]", null))))
			.containsExactly(UpdateResult.DONE);
	}

	@ParameterizedTest
	@EnumSource
	void repeatedStepHasItsFirstResult(Kind kind) {
		this.user.enqueue(TestJob.of("a").after(MINUTE).retries(5));
		if (kind == Kind.DISMISS) {
			this.user.update(Kind.RUN_NOW, "a");
			this.user.kill();
		}
		UpdateAction step = action(kind, "a.b-c_1");
		List<ExpectedJob> jobs = List.of(new ExpectedJob("a", Set.of(this.user.state("a")), null, null, null));
		assertThat(this.store.update(step, jobs)).containsExactly(UpdateResult.DONE);
		JobRecord after = this.user.find("a");
		assertThat(this.store.update(step, jobs)).containsExactly(UpdateResult.DONE);
		assertThat(this.user.find("a")).isEqualTo(after);
		if (after.state().isWaiting()) {
			this.user.advance(MINUTE);
			this.user.fail(this.user.take("q", "other"));
			JobRecord failed = this.user.find("a");
			assertThat(this.store.update(step, jobs)).containsExactly(UpdateResult.DONE);
			assertThat(this.user.find("a")).isEqualTo(failed);
		}
	}

	@Test
	void jobThatFitsOnlyAfterTheFirstCallIsNotUpdatedByItsRepetition() {
		promoteFirstOfTwo();
		List<ExpectedJob> jobs = List.of(new ExpectedJob("b", Set.of(JobState.READY), null, null, null),
				new ExpectedJob("a", Set.of(JobState.READY), null, null, null), ExpectedJob.of("c"));
		for (int i = 0; i < 2; i++) {
			assertThat(this.store.update(action(Kind.MOVE, "step"), jobs)).containsExactly(UpdateResult.REFUSED,
					UpdateResult.DONE, UpdateResult.UNKNOWN);
			assertThat(this.user.state("b")).isEqualTo(JobState.READY);
			assertThat(this.user.find("b").queue()).isEqualTo("q");
		}
		assertMoves(1);
		assertThat(this.store.update(action(Kind.MOVE, "next"), jobs)).containsExactly(UpdateResult.DONE,
				UpdateResult.DONE, UpdateResult.UNKNOWN);
	}

	@Test
	void stepsOfOtherIdsAreTakenOneAfterTheOther() {
		this.user.enqueue(TestJob.of("a"));
		for (int i = 0; i < 10; i++) {
			assertThat(this.user.move("a", (i % 2 == 0) ? "other" : "q")).isEqualTo(UpdateResult.DONE);
		}
		assertMoves(5);
		assertThat(this.store.counts("other").movedOut()).isEqualTo(5);
	}

	@Test
	void moreThanAStepTakesIsRefused() {
		assertThat(this.store.update(new UpdateAction(Kind.CANCEL, null, "s"), List.of())).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> new UpdateAction(Kind.MOVE, null, "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new UpdateAction(Kind.MOVE, "no name", "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new UpdateAction(Kind.CANCEL, "q", "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new UpdateAction(Kind.CANCEL, null, "no id"));
	}

	private void assertMoves(long moves) {
		assertThat(this.store.counts("q").movedOut()).isEqualTo(moves);
		assertThat(this.store.counts("other").movedIn()).isEqualTo(moves);
	}

}
