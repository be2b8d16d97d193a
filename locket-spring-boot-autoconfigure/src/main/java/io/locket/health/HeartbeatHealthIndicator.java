package io.locket.health;

import java.time.Duration;
import java.util.Objects;

import io.locket.lease.heartbeat.LeaseHeartbeat;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the heartbeat: down while the renewal of a lease is overdue by more than an
 * interval. Sends no command to the store.
 */
public final class HeartbeatHealthIndicator extends AbstractHealthIndicator {

	private final LeaseHeartbeat heartbeat;

	/**
	 * Creates an indicator.
	 * @param heartbeat the heartbeat of this process
	 */
	public HeartbeatHealthIndicator(LeaseHeartbeat heartbeat) {
		super("The health of the heartbeat cannot be determined");
		this.heartbeat = Objects.requireNonNull(heartbeat, "'heartbeat' must not be null");
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Duration overdue = this.heartbeat.overdue();
		builder.up().withDetail("leases", this.heartbeat.size()).withDetail("overdue", overdue.toMillis() + "ms");
		if (this.heartbeat.isLate()) {
			builder.down()
				.withDetail("reason", "Leases are lost unless they are renewed soon. Check Redis, and whether this"
						+ " process is delayed (garbage collection, too little CPU)");
		}
	}

}
