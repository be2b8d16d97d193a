package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;

import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.schedule.LeaderDuty;
import io.locket.schedule.Leadership;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.memory.InMemoryScheduleStore;
import org.jspecify.annotations.Nullable;

/**
 * Leads in a test: fires schedules when the test lets their times come.
 */
public final class TestSchedules {

	private final Schedules schedules;

	private final InMemoryScheduleStore store;

	private final LeaderDuty duty;

	private final LeaseService leases;

	/**
	 * Create a leader.
	 * @param schedules the schedules
	 * @param store where they are
	 * @param duty fires them
	 * @param leases keeps the leader's lease
	 */
	public TestSchedules(Schedules schedules, InMemoryScheduleStore store, LeaderDuty duty, LeaseService leases) {
		this.schedules = schedules;
		this.store = store;
		this.duty = duty;
		this.leases = leases;
	}

	/**
	 * Let time pass from firing to firing, and lead meanwhile.
	 * @param time how much time passes
	 * @param clock the clock of the schedules
	 * @param advance lets time pass
	 */
	void letPass(Duration time, Clock clock, Consumer<Duration> advance) {
		Instant end = clock.instant().plus(time);
		LeaseAttempt attempt = this.leases.attempt(LeaseRequest.of(this.leases.keyOf(Leadership.NAME)));
		if (!(attempt instanceof LeaseAttempt.Acquired acquired)) {
			throw new IllegalStateException("Somebody else leads: " + ((LeaseAttempt.Refused) attempt).holder());
		}
		try (Lease lease = acquired.lease()) {
			advance.accept(Duration.ZERO);
			fire(lease);
			for (Instant next = next(end); next != null; next = next(end)) {
				advance.accept(Duration.between(clock.instant(), next));
				fire(lease);
			}
			advance.accept(Duration.between(clock.instant(), end));
		}
	}

	/**
	 * A term of its own learns how late it is.
	 */
	private void fire(Lease lease) {
		LeaderDuty.Term term = this.duty.begin(lease);
		Duration rest = Duration.ZERO;
		while (rest.isZero() && lease.isHeld()) {
			rest = term.perform();
		}
	}

	private @Nullable Instant next(Instant end) {
		return this.schedules.list()
			.stream()
			.map(ScheduleStatus::nextFiring)
			.filter(Objects::nonNull)
			.filter((time) -> !time.isAfter(end))
			.min(Instant::compareTo)
			.orElse(null);
	}

	/**
	 * Forget every schedule. Those of this process are removed first, or it would put
	 * them again.
	 */
	void clear() {
		this.schedules.list()
			.stream()
			.filter((schedule) -> schedule.definition().origin() == ScheduleOrigin.TRANSIENT)
			.forEach((schedule) -> this.schedules.remove(schedule.name()));
		this.store.clear();
	}

}
