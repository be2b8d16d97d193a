package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.LeaderTask;
import io.locket.schedule.leader.Leadership;
import io.locket.schedule.memory.InMemoryScheduleStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Leader of a test, which fires schedules while the test advances the clock.
 */
public final class TestSchedules {

	static final String MISSING = "The context has no schedules because ScheduleAutoConfiguration is missing. "
			+ "Do not exclude it";

	private static final String LOST = "The leader lost its lease, so schedules do not fire any more. "
			+ "Do not reset LocketTester and do not release the lease by force during advanceAndFire";

	private final Schedules schedules;

	private final InMemoryScheduleStore store;

	private final LeaderTask task;

	private final LeaseService leases;

	/**
	 * Creates a leader.
	 * @param schedules the schedules
	 * @param store the store of the schedules
	 * @param task fires the schedules
	 * @param leases the service of the leader's lease
	 */
	public TestSchedules(Schedules schedules, InMemoryScheduleStore store, LeaderTask task, LeaseService leases) {
		this.schedules = schedules;
		this.store = store;
		this.task = task;
		this.leases = leases;
	}

	/**
	 * Advances the clock from firing to firing while holding the leader's lease.
	 * @param time the time to advance
	 * @param clock the clock of the schedules
	 * @param advance advances the clock
	 * @param firings executes each firing and collects the failures of its jobs
	 */
	void letPass(Duration time, Clock clock, Consumer<Duration> advance, BiConsumer<Runnable, Failures> firings) {
		Instant end = clock.instant().plus(time);
		LeaseAttempt attempt = this.leases.attempt(LeaseRequest.of(this.leases.keyOf(Leadership.NAME)));
		if (!(attempt instanceof LeaseAttempt.Acquired acquired)) {
			throw new IllegalStateException(
					"Another leader holds the lease: " + ((LeaseAttempt.Refused) attempt).holder()
							+ ". Do not call advanceAndFire in the body of a job, nor on two threads");
		}
		Failures failures = new Failures();
		try (Lease lease = acquired.lease()) {
			failures.collect(() -> {
				fire(lease, firings, failures);
				for (Instant next = next(end); next != null; next = next(end)) {
					advance.accept(Duration.between(clock.instant(), next));
					fire(lease, firings, failures);
				}
				advance.accept(Duration.between(clock.instant(), end));
			});
		}
		failures.raise();
	}

	/**
	 * Fires due schedules in a term of their own, so that their delay is computed anew.
	 */
	private void fire(Lease lease, BiConsumer<Runnable, Failures> firings, Failures failures) {
		LeaderTask.Term term = this.task.begin(lease);
		firings.accept(() -> perform(term, lease), failures);
		Assert.state(lease.isHeld(), LOST);
	}

	private static void perform(LeaderTask.Term term, Lease lease) {
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
	 * Removes all schedules. Those of this process are removed first, because it would
	 * put them again.
	 */
	void clear() {
		this.schedules.list()
			.stream()
			.filter((schedule) -> schedule.definition().origin() == ScheduleOrigin.TRANSIENT)
			.forEach((schedule) -> this.schedules.remove(schedule.name()));
		this.store.clear();
	}

}
