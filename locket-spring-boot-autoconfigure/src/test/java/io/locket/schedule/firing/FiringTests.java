package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEnqueued;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.TestJob;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.AbstractScheduleStoreTests;
import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.FiringResult.Fired;
import io.locket.schedule.FiringResult.Refused;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.TestSchedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ScheduleStore#fire}.
 */
class FiringTests extends AbstractScheduleStoreTests {

	@Test
	void firingEnqueuesTheJobAndIsRecorded() {
		put("a");
		advance(SECOND);
		Instant time = now();
		advance(SECOND);
		FiringReply reply = this.store.fire(this.leader, TTL, List.of(TestSchedule.firing(find("a"), time)));
		assertThat(reply.results()).containsExactly(accepted("a", time));
		assertThat(reply.time()).isEqualTo(now());
		assertThat(find("a").lastFired()).isEqualTo(time);
		assertThat(find("a").lastResult()).isEqualTo(new EnqueueResult.Accepted(Firing.id("a", time)));
		assertThat(this.harness.queue().store().find(Firing.id("a", time))).get()
			.extracting(JobRecord::state)
			.isEqualTo(JobState.READY);
		assertThat(this.harness.queue().events()).singleElement().isInstanceOf(JobEnqueued.class);
	}

	@Test
	void firingLeavesTheRevision() {
		StoredSchedule schedule = put("a");
		long revision = this.store.revision();
		advance(SECOND);
		fire("a", now());
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(find("a").revision()).isEqualTo(schedule.revision());
	}

	@Test
	void repeatedFiringHasTheSameResultAndEnqueuesNothing() {
		put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(find("a"), now());
		FiringResult first = fire(firing);
		assertThat(fire(firing)).isEqualTo(first);
		this.harness.queue().store().cancel(firing.job().id());
		advance(Duration.ofMinutes(1));
		assertThat(fire(firing)).isEqualTo(first);
		assertThat(jobs()).isOne();
	}

	@Test
	void repeatedFiringHasTheSameResultWhenTheScheduleHasChangedMeanwhile() {
		put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(find("a"), now());
		FiringResult first = fire(firing);
		this.store.pause("a");
		assertThat(fire(firing)).isEqualTo(first);
		assertThat(jobs()).isOne();
	}

	@Test
	void duplicateSettlesAFiringForGood() {
		this.harness.queue().queue().enqueue(TestJob.of("there").with(LockStrategy.UNTIL_EXECUTED, "k").build());
		put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(find("a"), now(), unique("a", DuplicateStrategy.RAISE));
		Fired duplicate = new Fired(new EnqueueResult.Duplicate("there", JobState.READY));
		assertThat(fire(firing)).isEqualTo(duplicate);
		assertThat(find("a").lastFired()).isEqualTo(now());
		this.harness.queue().store().cancel("there");
		assertThat(fire(firing)).isEqualTo(duplicate);
		assertThat(jobs()).isOne();
		advance(SECOND);
		assertThat(fire("a", unique("a", DuplicateStrategy.REJECT))).isEqualTo(accepted("a", now()));
	}

	@Test
	void replacementSettlesAFiring() {
		put("a");
		advance(SECOND);
		fire("a", unique("a", DuplicateStrategy.REJECT));
		Instant first = now();
		advance(SECOND);
		assertThat(fire("a", unique("a", DuplicateStrategy.REPLACE).arguments("[2]")))
			.isEqualTo(new Fired(new EnqueueResult.Replaced(Firing.id("a", first))));
		assertThat(find("a").lastFired()).isEqualTo(now());
		assertThat(jobs()).isOne();
	}

	@Test
	void ofTwoWhoTakeThemselvesForTheLeaderOnlyTheLastFires() {
		put("a");
		advance(SECOND);
		LeaseProof successor = this.harness.hold("leader", TTL);
		Firing firing = TestSchedule.firing(find("a"), now());
		assertThat(fire(this.leader, firing)).isEqualTo(Refused.NOT_LEADER);
		assertThat(find("a").lastFired()).isNull();
		assertThat(jobs()).isZero();
		assertThat(fire(successor, firing)).isEqualTo(accepted("a", now()));
	}

	@Test
	void whatThePredecessorHasFiredItsSuccessorFiresNotAgain() {
		put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(find("a"), now());
		FiringResult first = fire(firing);
		LeaseProof successor = this.harness.hold("leader", TTL);
		assertThat(fire(successor, firing)).isEqualTo(first);
		assertThat(fire(this.leader, firing)).isEqualTo(Refused.NOT_LEADER);
		assertThat(jobs()).isOne();
	}

	@Test
	void leaderWhoseLeaseHasEndedFiresNothing() {
		put("a");
		advance(TTL);
		Firing firing = TestSchedule.firing(find("a"), now());
		assertThat(fire(firing)).isEqualTo(Refused.NOT_LEADER);
		this.leader = this.harness.hold("leader", TTL);
		this.harness.release(this.leader);
		assertThat(fire(firing)).isEqualTo(Refused.NOT_LEADER);
		assertThat(jobs()).isZero();
	}

	@Test
	void firingRenewsTheLeadersLease() {
		put("a");
		advance(TTL.minusMillis(1));
		fire("a", now());
		advance(TTL.minusMillis(1));
		assertThat(fire("a", now())).isEqualTo(accepted("a", now()));
		assertThat(jobs()).isEqualTo(2);
	}

	@Test
	void leaderWhoseClockIsAheadFiresNothingEarly() {
		put("a");
		Instant time = now().plusMillis(90_000);
		assertThat(fire("a", time)).isEqualTo(Refused.EARLY);
		advance(Duration.ofMillis(89_999));
		FiringReply reply = this.store.fire(this.leader, TTL, List.of(TestSchedule.firing(find("a"), time)));
		assertThat(reply.results()).containsExactly(Refused.EARLY);
		assertThat(reply.time()).isEqualTo(time.minusMillis(1));
		advance(Duration.ofMillis(1));
		assertThat(fire("a", time)).isEqualTo(accepted("a", time));
	}

	@Test
	void leaderThatWasFrozenSinceItsPlanFiresNothingLate() {
		StoredSchedule a = put("a");
		advance(SECOND);
		Instant time = now();
		Firing firing = new Firing("a", a.revision(), time, time.plusSeconds(5), null,
				TestJob.of(Firing.id("a", time)).build());
		advance(Duration.ofMillis(5001));
		assertThat(fire(firing)).isEqualTo(Refused.LATE);
		assertThat(find("a").lastFired()).isNull();
		advance(Duration.ofMillis(-1));
		FiringResult fired = fire(firing);
		assertThat(fired).isEqualTo(accepted("a", time));
		advance(Duration.ofSeconds(60));
		assertThat(fire(firing)).isEqualTo(fired);
		assertThat(jobs()).isOne();
	}

	@Test
	void lastOfSeveralRepeatedTimesHasItsFirstResult() {
		StoredSchedule a = put("a");
		advance(SECOND);
		List<Firing> firings = List.of(TestSchedule.firing(a, now().minusMillis(2)),
				TestSchedule.firing(a, now().minusMillis(1)), TestSchedule.firing(a, now()));
		assertThat(this.store.fire(this.leader, TTL, firings).results()).allMatch(Fired.class::isInstance);
		assertThat(this.store.fire(this.leader, TTL, firings).results()).containsExactly(Refused.PAST, Refused.PAST,
				accepted("a", now()));
		assertThat(jobs()).isEqualTo(3);
	}

	@Test
	void leaderWhoseClockIsBehindFiresNothingAgain() {
		put("a");
		advance(SECOND);
		Instant first = now();
		advance(SECOND);
		fire("a", now());
		assertThat(fire("a", first)).isEqualTo(Refused.PAST);
		assertThat(jobs()).isOne();
	}

	@Test
	void timeUpToThePutDoesNotFire() {
		put("a");
		assertThat(fire("a", now())).isEqualTo(Refused.PAST);
		assertThat(fire("a", now().minusMillis(1))).isEqualTo(Refused.PAST);
		this.store.remove("a");
		advance(SECOND);
		put("a");
		assertThat(fire("a", now())).isEqualTo(Refused.PAST);
		assertThat(jobs()).isZero();
	}

	@Test
	void scheduleThatIsNotThereAsTheLeaderKnowsItDoesNotFire() {
		StoredSchedule known = put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(known, now());
		this.store.put(List.of(TestSchedule.of("a", ScheduleOrigin.PERSISTENT, true, "other")), null);
		assertThat(fire(firing)).isEqualTo(Refused.CHANGED);
		this.store.put(List.of(TestSchedule.of("a", ScheduleOrigin.PERSISTENT, false, "other")), null);
		advance(SECOND);
		assertThat(fire("a", now())).isEqualTo(Refused.CHANGED);
		this.store.remove("a");
		assertThat(fire(firing)).isEqualTo(Refused.CHANGED);
		assertThat(jobs()).isZero();
	}

	/**
	 * The leader knows a later firing than Redis has, as after a fail-over.
	 */
	@Test
	void scheduleWhoseLastFiringIsLostDoesNotFireBeforeTheLeaderKnowsTheLoss() {
		StoredSchedule schedule = put("a");
		advance(SECOND);
		Instant lost = now();
		advance(SECOND);
		Instant time = now();
		Firing firing = new Firing("a", schedule.revision(), time, time.plusSeconds(1), lost,
				TestJob.of(Firing.id("a", time)).build());
		assertThat(fire(firing)).isEqualTo(Refused.CHANGED);
		assertThat(find("a").lastFired()).isNull();
		assertThat(jobs()).isZero();
		assertThat(fire("a", time)).isEqualTo(accepted("a", time));
	}

	@Test
	void pausedScheduleDoesNotFireNorWhatItMissedMeanwhile() {
		put("a");
		this.store.pause("a");
		advance(SECOND);
		Instant missed = now();
		assertThat(fire("a", missed)).isEqualTo(Refused.CHANGED);
		advance(SECOND);
		this.store.resume("a");
		assertThat(fire("a", missed)).isEqualTo(Refused.PAST);
		advance(SECOND);
		assertThat(fire("a", now())).isEqualTo(accepted("a", now()));
	}

	@Test
	void resumptionWhileTheClockHasRunBackForgetsTheChangeByTheClockThatWasAhead() {
		put("a");
		Instant change = now();
		advance(SECOND.negated());
		this.store.pause("a");
		this.store.resume("a");
		assertThat(fire("a", now())).isEqualTo(Refused.PAST);
		advance(SECOND);
		assertThat(fire("a", change)).isEqualTo(accepted("a", change));
	}

	@Test
	void repeatedFiringLeavesTheLeadersLease() {
		put("a");
		advance(SECOND);
		Firing firing = TestSchedule.firing(find("a"), now());
		FiringResult first = fire(firing);
		advance(TTL.minusMillis(1));
		assertThat(fire(firing)).isEqualTo(first);
		advance(Duration.ofMillis(1));
		assertThat(fire(firing)).isEqualTo(Refused.NOT_LEADER);
	}

	@Test
	void pausedQueueAcceptsAFiring() {
		this.harness.queue().store().pause("q");
		put("a");
		advance(SECOND);
		assertThat(fire("a", now())).isEqualTo(accepted("a", now()));
		this.harness.queue().store().resume("q");
	}

	@Test
	void eachOfSeveralFiringsHasItsResult() {
		put("a");
		StoredSchedule b = put("b");
		StoredSchedule a = find("a");
		advance(SECOND);
		Instant first = now();
		advance(SECOND);
		Instant second = now();
		StoredSchedule nobody = new StoredSchedule(TestSchedule.persistent("nobody"), 1, false, first, first, null,
				null);
		FiringReply reply = this.store.fire(this.leader, TTL,
				List.of(TestSchedule.firing(a, first), TestSchedule.firing(nobody, first),
						TestSchedule.firing(a, second), TestSchedule.firing(a, first),
						TestSchedule.firing(b, second.plusMillis(1)), TestSchedule.firing(b, second)));
		assertThat(reply.results()).containsExactly(accepted("a", first), Refused.CHANGED, accepted("a", second),
				Refused.PAST, Refused.EARLY, accepted("b", second));
		assertThat(find("a").lastFired()).isEqualTo(second);
		assertThat(jobs()).isEqualTo(3);
	}

	@Test
	void callHasAHundredFiringsAtMost() {
		List<StoredSchedule> schedules = IntStream.range(0, 101)
			.mapToObj((i) -> TestSchedule.persistent("s" + i))
			.map((definition) -> {
				this.store.put(List.of(definition), null);
				return find(definition.name());
			})
			.toList();
		advance(SECOND);
		List<Firing> firings = schedules.stream().map((schedule) -> TestSchedule.firing(schedule, now())).toList();
		assertThat(this.store.fire(this.leader, TTL, firings.subList(0, 100)).results()).hasSize(100)
			.allMatch(Fired.class::isInstance);
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.fire(this.leader, TTL, firings));
		assertThat(this.store.fire(this.leader, TTL, List.of()).results()).isEmpty();
		assertThat(jobs()).isEqualTo(100);
	}

	@Test
	void transientScheduleEndsWithItsProcess() {
		LeaseProof process = this.harness.hold("process", Duration.ofMinutes(1));
		this.store.put(List.of(TestSchedule.of("t", ScheduleOrigin.TRANSIENT)), process);
		StoredSchedule schedule = find("t");
		advance(SECOND);
		assertThat(fire("t", now())).isEqualTo(accepted("t", now()));
		advance(Duration.ofMinutes(1));
		assertThat(names()).isEmpty();
		long revision = this.store.revision();
		assertThat(fire(TestSchedule.firing(schedule, now()))).isEqualTo(Refused.CHANGED);
		assertThat(this.store.revision()).isEqualTo(revision);
		assertThat(jobs()).isOne();
	}

	@Test
	void jobRunsAsAnyOther() {
		put("a");
		advance(SECOND);
		fire("a", now());
		JobStore jobs = this.harness.queue().store();
		assertThat(jobs.find(Firing.id("a", now()))).get().satisfies((job) -> {
			assertThat(job.arguments()).isEqualTo("[1]");
			assertThat(job.enqueuedAt()).isEqualTo(now());
		});
	}

	private TestJob unique(String name, DuplicateStrategy onDuplicate) {
		return TestJob.of(Firing.id(name, now())).with(LockStrategy.UNTIL_EXECUTED, "k").onDuplicate(onDuplicate);
	}

}
