package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobQueue#settle}: each end of a run, stale ones, and repetition.
 */
class SettleTests extends AbstractQueueTests {

	@Test
	void jobHasSucceededWhenItsBodyHasReturned() {
		ReservedJob job = start(TestJob.of("a"));
		this.user.advance(Duration.ofSeconds(2));
		assertThat(this.user.succeed(job)).isEqualTo(new EndResult("a", true, JobState.SUCCEEDED));
		JobRecord record = this.user.find("a");
		assertThat(record.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(record.endedAt()).isEqualTo(this.harness.now());
		assertThat(this.store.counts("q").in(JobState.SUCCEEDED)).isOne();
	}

	@Test
	void failedAttemptWaitsForTheNextOne() {
		ReservedJob job = start(TestJob.of("a"));
		assertThat(this.user.fail(job)).isEqualTo(new EndResult("a", true, JobState.RETRY));
		JobRecord record = this.user.find("a");
		assertThat(record.attempt()).isOne();
		assertThat(record.lastError()).isEqualTo("it broke");
		assertThat(record.startAt()).isEqualTo(this.harness.now().plusSeconds(1));
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.user.take().record().attempt()).isOne();
	}

	@Test
	void jobIsDeadWhenItsLastAttemptHasFailed() {
		this.user.enqueue(TestJob.of("a").retries(2).with(LockStrategy.UNTIL_EXECUTED, "k"));
		for (JobState state : List.of(JobState.RETRY, JobState.RETRY, JobState.DEAD)) {
			assertThat(this.user.fail(this.user.take()).state()).isEqualTo(state);
			this.user.advance(Duration.ofSeconds(1));
		}
		assertThat(this.user.find("a").attempt()).isEqualTo(3);
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTED, "k")))
			.isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void retriedJobQueuesAtTheEnd() {
		ReservedJob job = start(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		this.user.fail(job);
		this.user.advance(Duration.ofSeconds(1));
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("b", "a");
	}

	@Test
	void jobIsDeadAtOnceWhenNoAttemptWouldFareBetter() {
		ReservedJob job = start(TestJob.of("a"));
		assertThat(this.user.end(RunEnd.dead(job, "unreadable"))).isEqualTo(new EndResult("a", true, JobState.DEAD));
		assertThat(this.user.find("a").attempt()).isOne();
		assertThat(this.user.find("a").lastError()).isEqualTo("unreadable");
	}

	@Test
	void returnedJobKeepsPlaceAndAttempt() {
		ReservedJob job = start(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		assertThat(this.user.end(RunEnd.returned(job))).isEqualTo(new EndResult("a", true, JobState.READY));
		assertThat(this.user.find("a").attempt()).isZero();
		assertThat(this.user.find("a").reclaims()).isZero();
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("a", "b");
	}

	@Test
	void deferredJobComesBackAtNoCost() {
		ReservedJob job = start(TestJob.of("a").retries(0));
		assertThat(this.user.end(RunEnd.defer(job, Duration.ofSeconds(5), "unknown")))
			.isEqualTo(new EndResult("a", true, JobState.RETRY));
		assertThat(this.user.find("a").attempt()).isZero();
		this.user.advance(Duration.ofSeconds(5));
		assertThat(this.user.take().record().id()).isEqualTo("a");
	}

	@Test
	void deferredJobIsDeadADayAfterItWasFirstDeferred() {
		ReservedJob job = start(TestJob.of("a"));
		this.user.end(RunEnd.defer(job, Duration.ofHours(23), "unknown"));
		this.user.advance(Duration.ofHours(23));
		assertThat(this.user.end(RunEnd.defer(this.user.take(), Duration.ofHours(1), "unknown")).state())
			.isEqualTo(JobState.RETRY);
		this.user.advance(Duration.ofHours(1));
		assertThat(this.user.end(RunEnd.defer(this.user.take(), Duration.ofMillis(1), "unknown")).state())
			.isEqualTo(JobState.RETRY);
		this.user.advance(Duration.ofMillis(1));
		assertThat(this.user.end(RunEnd.defer(this.user.take(), Duration.ofSeconds(1), "unknown")).state())
			.isEqualTo(JobState.DEAD);
	}

	@Test
	void deferredJobHasADayAgainWhenAWorkerHasRunIt() {
		this.user.end(RunEnd.defer(start(TestJob.of("a")), Duration.ofSeconds(1), "unknown"));
		this.user.advance(Duration.ofSeconds(1));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofHours(48), "it broke"));
		this.user.advance(Duration.ofHours(48));
		assertThat(this.user.end(RunEnd.defer(this.user.take(), Duration.ofSeconds(1), "unknown")).state())
			.isEqualTo(JobState.RETRY);
	}

	/**
	 * It was never due at the time of the retry.
	 */
	@ParameterizedTest
	@EnumSource(names = { "RETRY", "DEFER", "UNKNOWN" })
	void cancelledJobKeepsTheTimeAtWhichItWasDueLast(RunEnd.Kind kind) {
		this.user.enqueue(TestJob.of("a").after(Duration.ofMinutes(1)));
		this.user.advance(Duration.ofMinutes(1));
		ReservedJob run = this.user.take();
		Instant due = this.harness.now();
		this.store.cancel("a");
		this.user.advance(Duration.ofSeconds(5));
		assertThat(this.user.end(end(run, kind)).state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "DEFER", "UNKNOWN" })
	void supersededJobKeepsTheTimeAtWhichItWasDueLast(RunEnd.Kind kind) {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k").after(Duration.ofMinutes(1)));
		this.user.advance(Duration.ofMinutes(1));
		ReservedJob run = this.user.take();
		Instant due = this.harness.now();
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.advance(Duration.ofSeconds(5));
		assertThat(this.user.end(end(run, kind)).state()).isEqualTo(JobState.SUPERSEDED);
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
	}

	@Test
	void deadLetterThatNoWorkerKnewKeepsTheTimeAtWhichItWasDueLast() {
		this.user.end(RunEnd.unknown(start(TestJob.of("a")), "unknown"));
		this.user.advance(Duration.ofHours(12));
		ReservedJob run = this.user.take();
		Instant due = run.record().startAt();
		this.user.advance(Duration.ofHours(12));
		assertThat(this.user.end(RunEnd.unknown(run, "unknown")).state()).isEqualTo(JobState.DEAD);
		assertThat(this.user.find("a").startAt()).isEqualTo(due);
	}

	private static RunEnd end(ReservedJob run, RunEnd.Kind kind) {
		return switch (kind) {
			case RETRY -> RunEnd.retry(run, Duration.ofHours(1), "it broke");
			case DEFER -> RunEnd.defer(run, Duration.ofHours(1), "unknown");
			default -> RunEnd.unknown(run, "unknown");
		};
	}

	@Test
	void endOfARunThatIsNotTheLastDoesNotCount() {
		ReservedJob stale = start(TestJob.of("a"));
		this.user.die();
		ReservedJob current = this.user.take();
		assertThat(this.user.succeed(stale)).isEqualTo(new EndResult("a", false, JobState.RUNNING));
		assertThat(this.user.succeed(current).counted()).isTrue();
	}

	@Test
	void endOfAJobThatIsNotKnownDoesNotCount() {
		assertThat(this.user.end(new RunEnd("nobody", "token", RunEnd.Kind.SUCCEEDED, Duration.ZERO, null)))
			.isEqualTo(new EndResult("nobody", false, null));
	}

	@Test
	void endCountsWhenTheRunLeaseHasExpiredAndTheJobWasNotTaken() {
		ReservedJob job = start(TestJob.of("a"));
		this.user.advance(TestJob.LEASE.plusSeconds(1));
		assertThat(this.user.succeed(job)).isEqualTo(new EndResult("a", true, JobState.SUCCEEDED));
	}

	@ParameterizedTest
	@EnumSource
	void endDoesNotCountWhenTheKeyLeaseIsLost(RunEnd.Kind kind) {
		ReservedJob job = start(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b"));
		this.harness.takeForeign(TestJob.key("k"), Duration.ofSeconds(1));
		assertThat(this.user.end(new RunEnd("a", job.token(), kind, Duration.ofSeconds(1), "it broke")))
			.isEqualTo(new EndResult("a", false, JobState.READY));
		assertThat(this.user.find("a").attempt()).isZero();
		assertThat(this.user.find("a").reclaims()).isZero();
		this.user.advance(Duration.ofSeconds(1));
		assertThat(ids(this.user.reserve(2, "q").jobs())).containsExactly("a", "b");
	}

	@Test
	void jobThatLostItsKeyLeaseIsSupersededWhenAnotherOneWaits() {
		ReservedJob job = start(TestJob.of("a").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_AND_WHILE_EXECUTING, "k"));
		this.harness.releaseForeign(TestJob.key("k"));
		assertThat(this.user.succeed(job)).isEqualTo(new EndResult("a", false, JobState.SUPERSEDED));
		assertThat(this.user.find("a").supersededBy()).isEqualTo("b");
	}

	@Test
	void endDoesNotReleaseTheKeyOfAnotherHolder() {
		ReservedJob job = start(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.harness.takeForeign(TestJob.key("k"), Duration.ofSeconds(60));
		this.user.succeed(job);
		assertThat(this.user.reserve(1, "q").jobs()).isEmpty();
		assertThat(this.user.state("a")).isEqualTo(JobState.PARKED);
	}

	@ParameterizedTest
	@EnumSource
	void repeatedEndHasTheSameResultAndIsDoneOnce(RunEnd.Kind kind) {
		ReservedJob job = start(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTED, "k"));
		RunEnd end = new RunEnd("a", job.token(), kind, Duration.ofSeconds(1), "it broke");
		EndResult result = this.user.end(end);
		JobRecord record = this.user.find("a");
		assertThat(this.user.end(end)).isEqualTo(result);
		assertThat(this.user.find("a")).isEqualTo(record);
	}

	@Test
	void repeatedEndHasTheSameResultWhenTheJobHasEndedSince() {
		ReservedJob first = start(TestJob.of("a"));
		RunEnd end = RunEnd.retry(first, Duration.ofSeconds(1), "it broke");
		this.user.end(end);
		this.user.advance(Duration.ofSeconds(1));
		this.user.succeed(this.user.take());
		assertThat(this.user.end(end)).isEqualTo(new EndResult("a", true, JobState.RETRY));
		assertThat(this.user.state("a")).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void nextJobIsReservedInTheSameStep() {
		ReservedJob first = start(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		this.user.reserve(1, "q");
		assertThat(this.user.state("b")).isEqualTo(JobState.PARKED);
		Settlement settlement = this.queue.settle(List.of(RunEnd.succeeded(first)), this.user.request(1, "q"));
		assertThat(settlement.ends()).containsExactly(new EndResult("a", true, JobState.SUCCEEDED));
		assertThat(ids(settlement.next().jobs())).containsExactly("b");
	}

	@Test
	void repeatedSettlementHasTheSameResult() {
		ReservedJob first = start(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		this.user.enqueue(TestJob.of("c"));
		ReservationRequest next = this.user.request(1, "q");
		Settlement settlement = this.queue.settle(List.of(RunEnd.succeeded(first)), next);
		Settlement again = this.queue.settle(List.of(RunEnd.succeeded(first)), next);
		assertThat(again.ends()).isEqualTo(settlement.ends());
		assertThat(again.next().jobs()).isEqualTo(settlement.next().jobs());
		assertThat(this.user.state("c")).isEqualTo(JobState.READY);
	}

	@Test
	void resultsOfEndsAreInTheirOrder() {
		this.user.enqueue(TestJob.of("a"));
		this.user.enqueue(TestJob.of("b"));
		List<ReservedJob> jobs = this.user.reserve(2, "q").jobs();
		Settlement settlement = this.queue
			.settle(List.of(RunEnd.dead(jobs.get(1), "no"), RunEnd.succeeded(jobs.get(0))), null);
		assertThat(settlement.ends()).containsExactly(new EndResult("b", true, JobState.DEAD),
				new EndResult("a", true, JobState.SUCCEEDED));
		assertThat(settlement.next()).isNull();
	}

	@Test
	void retryKeepsTheCapOfTheTicket() {
		this.user.enqueue(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k").uniqueFor(Duration.ofSeconds(60)));
		this.user.advance(Duration.ofSeconds(50));
		this.user.end(RunEnd.retry(this.user.take(), Duration.ofSeconds(30), "it broke"));
		this.user.advance(Duration.ofSeconds(9));
		assertThat(this.user.enqueue(TestJob.of("b").with(LockStrategy.UNTIL_EXECUTING, "k")))
			.isEqualTo(new EnqueueResult.Duplicate("a", JobState.RETRY));
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.user.enqueue(TestJob.of("c").with(LockStrategy.UNTIL_EXECUTING, "k")))
			.isEqualTo(new EnqueueResult.Accepted("c"));
	}

	@Test
	void replacementOfARunThatCameBackCounts() {
		ReservedJob job = start(TestJob.of("a").with(LockStrategy.UNTIL_EXECUTING, "k"));
		this.user.fail(job);
		assertThat(this.user.enqueue(TestJob.of("b")
			.with(LockStrategy.UNTIL_EXECUTING, "k")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.arguments("[2]"))).isEqualTo(new EnqueueResult.Replaced("a"));
		this.user.advance(Duration.ofSeconds(1));
		ReservedJob again = this.user.take();
		assertThat(again.record().arguments()).isEqualTo("[2]");
		assertThat(again.record().attempt()).isZero();
	}

	private ReservedJob start(TestJob job) {
		this.user.enqueue(job);
		return this.user.take();
	}

}
