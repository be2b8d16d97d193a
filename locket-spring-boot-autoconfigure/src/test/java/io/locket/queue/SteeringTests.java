package io.locket.queue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.SteerAction.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for moving jobs, running them now, and dismissing them.
 */
class SteeringTests extends AbstractQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void jobThatIsReadyGoesToTheEndOfTheOtherQueue() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b").in("other"));
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.DONE);
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
		assertThat(this.user.move("scheduled", "other")).isEqualTo(SteerResult.DONE);
		assertThat(this.user.move("retry", "other")).isEqualTo(SteerResult.DONE);
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
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.DONE);
		assertThat(this.user.state("a")).isEqualTo(JobState.PARKED);
		assertThat(this.store.verify()).isEmpty();
		this.user.advance(MINUTE);
		assertThat(ids(this.user.reserve(9, "other").jobs())).containsExactly("a");
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertMoves(1);
	}

	@Test
	void parkedJobThatIsMovedAloneIsStillLookedAt() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		this.harness.releaseForeign(TestJob.key("k"));
		this.user.move("a", "other");
		assertThat(ids(this.user.reserve(1, "other").jobs())).containsExactly("a");
	}

	@Test
	void promotedJobThatIsMovedIsFollowedByTheNext() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(2, "q");
		this.user.advance(MINUTE);
		this.user.serve();
		assertThat(this.user.state("a")).isEqualTo(JobState.READY);
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.DONE);
		assertThat(this.user.state("b")).isEqualTo(JobState.READY);
		assertThat(this.store.verify()).isEmpty();
		ReservedJob a = this.user.take("other");
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.succeed(a);
		assertThat(this.user.take().record().id()).isEqualTo("b");
	}

	@Test
	void promotedJobThatIsCancelledIsFollowedByTheNext() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(2, "q");
		this.user.advance(MINUTE);
		this.user.serve();
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
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.REFUSED);
		this.user.succeed(job);
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.REFUSED);
		assertThat(this.user.move("nobody", "other")).isEqualTo(SteerResult.UNKNOWN);
		assertMoves(0);
	}

	@Test
	void jobThatIsThereAlreadyStaysInItsPlace() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		assertThat(this.user.move("a", "q")).isEqualTo(SteerResult.DONE);
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("a", "b");
		assertThat(this.store.counts("q").movedIn()).isZero();
	}

	@Test
	void queueThatIsPausedTakesWhatIsMoved() {
		this.store.pause("other");
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.move("a", "other")).isEqualTo(SteerResult.DONE);
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
			assertThat(this.user.steer(Kind.RUN_NOW, id)).as(id).isEqualTo(SteerResult.DONE);
		}
		assertThat(this.user.find("scheduled").startAt()).isEqualTo(this.harness.now());
		assertThat(ids(this.user.reserve(9, "q").jobs())).containsExactly("ready", "scheduled", "retry");
	}

	@Test
	void jobThatWaitsForItsKeyOrIsOverDoesNotRunNow() {
		this.harness.takeForeign(TestJob.key("k"), MINUTE);
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		assertThat(this.user.steer(Kind.RUN_NOW, "a")).isEqualTo(SteerResult.REFUSED);
		this.store.cancel("a");
		assertThat(this.user.steer(Kind.RUN_NOW, "a")).isEqualTo(SteerResult.REFUSED);
		assertThat(this.user.steer(Kind.RUN_NOW, "nobody")).isEqualTo(SteerResult.UNKNOWN);
	}

	@Test
	void deadLetterThatIsDismissedIsKeptWithWhatHasEnded() {
		this.user.enqueue(TestJob.of("a"));
		this.user.kill();
		this.user.advance(MINUTE);
		assertThat(this.user.steer(Kind.DISMISS, "a")).isEqualTo(SteerResult.DONE);
		assertThat(this.user.steer(Kind.DISMISS, "a")).isEqualTo(SteerResult.DONE);
		assertThat(this.user.state("a")).isEqualTo(JobState.DEAD);
		assertThat(this.user.find("a").endedAt()).isEqualTo(this.harness.now().minus(MINUTE));
		assertThat(this.store.counts("q").in(JobState.DEAD)).isOne();
		assertThat(this.user.putBack("a", "again")).isEqualTo(new EnqueueResult.Duplicate("a", JobState.DEAD));
	}

	@Test
	void nothingElseIsDismissed() {
		this.user.enqueue(TestJob.of("a"));
		assertThat(this.user.steer(Kind.DISMISS, "a")).isEqualTo(SteerResult.REFUSED);
		this.user.succeed(this.user.take());
		assertThat(this.user.steer(Kind.DISMISS, "a")).isEqualTo(SteerResult.REFUSED);
	}

	@ParameterizedTest
	@EnumSource
	void jobIsSteeredOnlyAsItWasSeen(Kind kind) {
		this.user.enqueue(TestJob.of("a").arguments("[1]").after(MINUTE));
		if (kind == Kind.DISMISS) {
			this.user.steer(Kind.RUN_NOW, "a");
			this.user.kill();
		}
		JobState state = this.user.state("a");
		SteerAction action = new SteerAction(kind, (kind == Kind.MOVE) ? "other" : null, "step");
		JobRecord before = this.user.find("a");
		assertThat(this.store.steer(action,
				List.of(new JobSighting("a", Set.of(JobState.SUCCEEDED, JobState.RUNNING), null, null, null),
						new JobSighting("a", Set.of(), null, "[2]", null),
						new JobSighting("a", Set.of(), "other", null, null), JobSighting.of("b"))))
			.containsExactly(SteerResult.REFUSED, SteerResult.REFUSED, SteerResult.REFUSED, SteerResult.UNKNOWN);
		assertThat(this.user.find("a")).isEqualTo(before);
		assertThat(this.store.steer(action,
				List.of(new JobSighting("a", EnumSet.of(JobState.READY, state), "q", "[1]", null))))
			.containsExactly(SteerResult.DONE);
	}

	@ParameterizedTest
	@EnumSource
	void stepThatIsRepeatedIsAnsweredAsItWas(Kind kind) {
		this.user.enqueue(TestJob.of("a").after(MINUTE).retries(5));
		if (kind == Kind.DISMISS) {
			this.user.steer(Kind.RUN_NOW, "a");
			this.user.kill();
		}
		SteerAction step = new SteerAction(kind, (kind == Kind.MOVE) ? "other" : null, "a.b-c_1");
		List<JobSighting> jobs = List.of(new JobSighting("a", Set.of(this.user.state("a")), null, null, null));
		assertThat(this.store.steer(step, jobs)).containsExactly(SteerResult.DONE);
		JobRecord after = this.user.find("a");
		assertThat(this.store.steer(step, jobs)).containsExactly(SteerResult.DONE);
		assertThat(this.user.find("a")).isEqualTo(after);
		if (after.state().isWaiting()) {
			this.user.advance(MINUTE);
			this.user.fail(this.user.take("q", "other"));
			JobRecord failed = this.user.find("a");
			assertThat(this.store.steer(step, jobs)).containsExactly(SteerResult.DONE);
			assertThat(this.user.find("a")).isEqualTo(failed);
		}
	}

	@Test
	void stepsOfOtherIdsAreTakenOneAfterTheOther() {
		this.user.enqueue(TestJob.of("a"));
		for (int i = 0; i < 10; i++) {
			assertThat(this.user.move("a", (i % 2 == 0) ? "other" : "q")).isEqualTo(SteerResult.DONE);
		}
		assertMoves(5);
		assertThat(this.store.counts("other").movedOut()).isEqualTo(5);
	}

	@Test
	void moreThanAStepTakesIsRefused() {
		assertThat(this.store.steer(new SteerAction(Kind.CANCEL, null, "s"), List.of())).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> new SteerAction(Kind.MOVE, null, "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new SteerAction(Kind.MOVE, "no name", "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new SteerAction(Kind.CANCEL, "q", "s"));
		assertThatIllegalArgumentException().isThrownBy(() -> new SteerAction(Kind.CANCEL, null, "no id"));
	}

	private void assertMoves(long moves) {
		assertThat(this.store.counts("q").movedOut()).isEqualTo(moves);
		assertThat(this.store.counts("other").movedIn()).isEqualTo(moves);
	}

}
