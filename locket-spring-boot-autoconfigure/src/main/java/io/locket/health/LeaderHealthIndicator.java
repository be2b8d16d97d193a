package io.locket.health;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.locket.LeaseHolder;
import io.locket.LeaseUnavailableException;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the leadership of the fleet: down after there has been no leader for longer
 * than the duration of the leader's lease. The time counts from the first check that
 * found no leader, if checks are no further apart than that duration. If this process
 * leads, down while its task has not returned for twice that duration. Queries the store
 * only if this process does not lead. Unknown if the store does not respond.
 */
public final class LeaderHealthIndicator extends AbstractHealthIndicator {

	private final Leadership leadership;

	private final LeaderElection election;

	private final long ttl;

	private final BooleanSupplier unavailable;

	private final LongSupplier nanoTime;

	private @Nullable Long missingSince;

	private long missedAt;

	/**
	 * Creates an indicator.
	 * @param leadership the leadership
	 * @param election the election in which this process takes part
	 * @param ttl the duration of the leader's lease
	 * @param unavailable whether the store has just failed to respond, so that it is not
	 * queried
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public LeaderHealthIndicator(Leadership leadership, LeaderElection election, Duration ttl,
			BooleanSupplier unavailable, LongSupplier nanoTime) {
		super("The health of the leadership cannot be determined");
		this.leadership = Objects.requireNonNull(leadership, "'leadership' must not be null");
		this.election = Objects.requireNonNull(election, "'election' must not be null");
		this.ttl = ttl.toNanos();
		this.unavailable = Objects.requireNonNull(unavailable, "'unavailable' must not be null");
		this.nanoTime = Objects.requireNonNull(nanoTime, "'nanoTime' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		long term = this.leadership.term();
		if (term != 0) {
			found();
			builder.up().withDetail("leader", "this process").withDetail("term", term);
			checkTask(builder);
		}
		else if (this.election.isIdle()) {
			found();
			builder.up().withDetail("leader", "none is needed: there are no known schedules");
		}
		else if (this.unavailable.getAsBoolean()) {
			builder.unknown().withDetail("reason", "Redis does not respond");
		}
		else {
			query(builder);
		}
	}

	private void checkTask(Health.Builder builder) {
		Duration time = this.election.taskTime();
		if (time.toNanos() > 2 * this.ttl && !this.unavailable.getAsBoolean()) {
			builder.down()
				.withDetail("stalled",
						"The thread " + LeaderElection.THREAD + " fires no schedules and has not returned for "
								+ time.toSeconds()
								+ " s: take a thread dump to find the cause, and restart this process");
		}
	}

	private void query(Health.Builder builder) {
		Optional<LeaseHolder> leader;
		try {
			leader = this.leadership.leader();
		}
		catch (LeaseUnavailableException ex) {
			builder.unknown()
				.withDetail("reason", "The leader cannot be determined")
				.withDetail("error", ex.toString());
			return;
		}
		if (leader.isPresent()) {
			found();
			builder.up().withDetail("leader", leader.get().instance()).withDetail("term", leader.get().fencingToken());
			return;
		}
		long missing = missing();
		builder.status((missing > this.ttl) ? Status.DOWN : Status.UP)
			.withDetail("leader", "none for " + TimeUnit.NANOSECONDS.toSeconds(missing) + "s, as far as is known");
		if (missing > this.ttl) {
			builder.withDetail("reason", "No process fires the schedules, and this process cannot become the leader."
					+ " Check its log for WARN of io.locket.schedule, and locket.leader.enabled of the other processes");
		}
	}

	private synchronized void found() {
		this.missingSince = null;
	}

	/**
	 * Returns the time without a leader, as far as this process has checked. Between two
	 * checks that are further apart than the duration of a lease, there may have been a
	 * whole term, so the time starts anew.
	 */
	private synchronized long missing() {
		long now = this.nanoTime.getAsLong();
		long last = this.missedAt;
		this.missedAt = now;
		Long since = this.missingSince;
		if (since == null || now - last > this.ttl) {
			this.missingSince = now;
			return 0;
		}
		return now - since;
	}

}
