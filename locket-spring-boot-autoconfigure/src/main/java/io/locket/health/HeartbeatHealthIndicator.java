package io.locket.health;

import java.time.Duration;
import java.util.Objects;

import io.locket.lease.LeaseHeartbeat;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the heartbeat: down while the renewal of a lease is overdue by more than an
 * interval. Asks no store.
 */
public final class HeartbeatHealthIndicator extends AbstractHealthIndicator {

	private final LeaseHeartbeat heartbeat;

	/**
	 * Create an indicator.
	 * @param heartbeat the heartbeat of this process
	 */
	public HeartbeatHealthIndicator(LeaseHeartbeat heartbeat) {
		super("The health of the heartbeat cannot be told");
		this.heartbeat = Objects.requireNonNull(heartbeat, "'heartbeat' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Duration overdue = this.heartbeat.overdue();
		builder.up().withDetail("leases", this.heartbeat.size()).withDetail("overdue", overdue.toMillis() + "ms");
		if (this.heartbeat.isLate()) {
			builder.down()
				.withDetail("reason", "Leases that are not renewed soon are lost: look at Redis, and at what holds up"
						+ " this process (garbage collection, too little CPU)");
		}
	}

}
