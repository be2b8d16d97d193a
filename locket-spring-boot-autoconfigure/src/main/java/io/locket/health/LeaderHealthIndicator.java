package io.locket.health;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.locket.LeaseHolder;
import io.locket.LeaseUnavailableException;
import io.locket.schedule.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the leadership of the fleet: down once nobody has led for longer than the
 * leader's lease lasts, from the first look that has found nobody to the last one, with
 * none of them further apart than that. Asks the store only if this process does not lead
 * itself; without an answer it is not known.
 */
public final class LeaderHealthIndicator extends AbstractHealthIndicator {

	private final Leadership leadership;

	private final long ttl;

	private final BooleanSupplier away;

	private final LongSupplier nanoTime;

	private @Nullable Long missingSince;

	private long missedAt;

	/**
	 * Create an indicator.
	 * @param leadership tells who leads
	 * @param ttl how long the leader's lease lasts
	 * @param away whether the store has just given no answer, so that it is not asked
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public LeaderHealthIndicator(Leadership leadership, Duration ttl, BooleanSupplier away, LongSupplier nanoTime) {
		super("The health of the leadership cannot be told");
		this.leadership = Objects.requireNonNull(leadership, "'leadership' must not be null");
		this.ttl = ttl.toNanos();
		this.away = Objects.requireNonNull(away, "'away' must not be null");
		this.nanoTime = Objects.requireNonNull(nanoTime, "'nanoTime' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		long term = this.leadership.term();
		if (term != 0) {
			found();
			builder.up().withDetail("leader", "this process").withDetail("term", term);
		}
		else if (this.away.getAsBoolean()) {
			builder.unknown().withDetail("reason", "Redis gives no answer");
		}
		else {
			look(builder);
		}
	}

	private void look(Health.Builder builder) {
		Optional<LeaseHolder> leader;
		try {
			leader = this.leadership.leader();
		}
		catch (LeaseUnavailableException ex) {
			builder.unknown().withDetail("reason", "Redis gives no answer").withDetail("error", ex.toString());
			return;
		}
		if (leader.isPresent()) {
			found();
			builder.up().withDetail("leader", leader.get().instance()).withDetail("term", leader.get().fencingToken());
			return;
		}
		long missing = missing();
		builder.status((missing > this.ttl) ? Status.DOWN : Status.UP)
			.withDetail("leader", "nobody for " + TimeUnit.NANOSECONDS.toSeconds(missing) + "s, as far as is known");
		if (missing > this.ttl) {
			builder.withDetail("reason", "Nobody fires the schedules. This process would lead, and cannot: look at its"
					+ " log for WARN of io.locket.schedule, and at locket.leader.enabled of the others");
		}
	}

	private synchronized void found() {
		this.missingSince = null;
	}

	/**
	 * Return for how long nobody has led, as far as this process has looked. A leader's
	 * whole term fits between two looks that are further apart than its lease lasts.
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
