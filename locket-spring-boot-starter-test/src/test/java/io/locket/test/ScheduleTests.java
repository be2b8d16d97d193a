package io.locket.test;

import java.time.Duration;
import java.time.YearMonth;

import io.locket.job.JobRequest;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.LeaderTask;
import io.locket.schedule.leader.Leadership;
import io.locket.schedule.memory.InMemoryScheduleStore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for schedules in the test kit.
 */
@LocketTest
@TestPropertySource(properties = { "locket.schedules.monthly.job=billing.bill",
		"locket.schedules.monthly.args=42,2026-05,may", "locket.schedules.monthly.every=10m" })
class ScheduleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest JOB = JobRequest.of("billing.bill", 7, YearMonth.of(2026, 1), "x");

	@Autowired
	private Schedules schedules;

	@Autowired
	private LocketTester locket;

	@Autowired
	private Leadership leadership;

	@Test
	void noProcessLeadsAndNothingFiresByItself() {
		this.schedules.put(ScheduleRequest.every("often", Duration.ofSeconds(1), JOB));
		this.locket.advance(HOUR);
		assertThat(this.locket).hasEnqueuedNothing();
		assertThat(this.leadership.leader()).isEmpty();
		assertThat(this.schedules.list()).extracting(ScheduleStatus::name).containsExactly("often");
	}

	@Test
	void jobOfAScheduleIsEnqueuedWhenTheTestTriggersIt() {
		this.schedules.put(ScheduleRequest.every("often", HOUR, JOB));
		assertThat(this.schedules.triggerNow("often")).isInstanceOf(EnqueueResult.Accepted.class);
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(7, "2026-01", "x").times(1);
	}

	@Test
	void configuredSchedulesFireAtEachOfTheirTimes() {
		this.locket.advanceAndFire(Duration.ofMinutes(25));
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(42, "2026-05", "may").asAccepted().times(1);
		assertThat(this.locket).hasEnqueued("billing.bill").asDuplicate().times(1);
		ScheduleStatus monthly = this.schedules.get("monthly").orElseThrow();
		assertThat(monthly.lastFired()).isEqualTo(this.locket.clock().instant().minus(Duration.ofMinutes(5)));
		assertThat(monthly.nextFiring()).isEqualTo(this.locket.clock().instant().plus(Duration.ofMinutes(5)));
		this.locket.drain();
		assertThat(this.locket.advanceAndFire(Duration.ofMinutes(5)).drain()).hasRun("billing.bill");
	}

	@Test
	void schedulesOfRunTimeFireInTheOrderOfTheirTimes() {
		this.schedules
			.put(ScheduleRequest.cron("first", "0 0 * * * *", JobRequest.of("billing.bill", 1, "2026-01", "a")));
		this.schedules
			.put(ScheduleRequest.cron("second", "30 0 * * * *", JobRequest.of("billing.bill", 2, "2026-01", "b"))
				.untilThisProcessEnds());
		this.locket.advanceAndFire(HOUR);
		assertThat(this.locket.enqueued()).extracting((job) -> job.arguments().get(0))
			.filteredOn((customer) -> !customer.equals(42L))
			.containsExactlyInAnyOrder(1L, 2L);
		assertThat(this.leadership.leader()).isEmpty();
	}

	@Test
	void timeDoesNotRunBack() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locket.advanceAndFire(HOUR.negated()));
		this.locket.advanceAndFire(Duration.ZERO);
		assertThat(this.locket).hasEnqueuedNothing();
	}

	@Test
	void schedulesAreForgottenWithEverythingElse() {
		this.schedules.put(ScheduleRequest.every("a", HOUR, JOB));
		this.schedules.put(ScheduleRequest.every("b", HOUR, JOB).untilThisProcessEnds());
		this.locket.advanceAndFire(Duration.ZERO);
		assertThat(this.schedules.list()).extracting(ScheduleStatus::name).containsExactly("a", "b", "monthly");
		this.locket.reset();
		assertThat(this.schedules.list()).isEmpty();
		this.schedules.put(ScheduleRequest.every("b", HOUR, JOB).untilThisProcessEnds());
		assertThat(this.schedules.list()).extracting(ScheduleStatus::name).containsExactly("b");
	}

	@Test
	void secondLeaderIsRefused(@Autowired LeaseService leases) {
		try (Lease other = leases.tryAcquire(LeaseRequest.of(leases.keyOf(Leadership.NAME))).orElseThrow()) {
			assertThat(other.isHeld()).isTrue();
			assertThatIllegalStateException().isThrownBy(() -> this.locket.advanceAndFire(HOUR))
				.withMessageContaining("Do not call advanceAndFire in the body of a job");
		}
	}

	@Test
	void leaderThatLosesItsLeaseIsAnError(@Autowired InMemoryScheduleStore store,
			@Autowired InMemoryLeaseService leases) {
		LeaderTask task = (lease) -> () -> {
			leases.forceRelease(lease.key().digest());
			return Duration.ZERO;
		};
		TestSchedules leader = new TestSchedules(this.schedules, store, task, leases);
		assertThatIllegalStateException()
			.isThrownBy(() -> leader.letPass(HOUR, this.locket.clock(), this.locket::advance,
					(firing, failures) -> firing.run()))
			.withMessageStartingWith("The leader lost its lease, so schedules do not fire any more")
			.withMessageContaining("Do not reset");
		assertThat(this.leadership.leader()).isEmpty();
	}

	@Test
	void allMissedTimesOfAScheduleFireAtOnce() {
		this.schedules
			.put(ScheduleRequest.every("often", Duration.ofMinutes(1), JobRequest.of("billing.send", "missed"))
				.misfire(Misfire.ALL)
				.catchUp(Duration.ofHours(2)));
		this.locket.advance(HOUR).advanceAndFire(Duration.ZERO);
		assertThat(this.locket).hasEnqueued("billing.send").times(60);
	}

	@Test
	void scheduleFiresAtItsTimesAlsoIfAnotherOneIsDueLater() {
		this.schedules.put(ScheduleRequest.every("a", Duration.ofMinutes(10), JobRequest.of("billing.send", "a")));
		this.schedules.put(ScheduleRequest.every("b", Duration.ofMinutes(25), JobRequest.of("billing.send", "b")));
		this.locket.advanceAndFire(Duration.ofMinutes(45));
		assertThat(this.locket.enqueued()).filteredOn((job) -> job.job().equals("billing.send"))
			.extracting((job) -> job.arguments().get(0))
			.containsExactly("a", "a", "b", "a", "a");
	}

	@Test
	void scheduleOfThisProcessIsNotPutAgainAfterAReset() {
		this.schedules.put(ScheduleRequest.every("b", HOUR, JOB).untilThisProcessEnds());
		this.locket.reset();
		this.locket.advanceAndFire(HOUR);
		assertThat(this.schedules.list()).extracting(ScheduleStatus::name).containsExactly("monthly");
	}

}
