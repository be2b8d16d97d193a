package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How the fleet finds its leader, and what that does.
 */
public class LeaderProperties {

	/**
	 * Whether this process may become the leader, which fires schedules.
	 */
	private boolean enabled = true;

	/**
	 * How long the leader's lease lasts without a heartbeat, which is how long nobody
	 * leads after a leader died.
	 */
	private Duration ttl = Duration.ofMinutes(3);

	/**
	 * How late a firing of a schedule is missed, so that the schedule's rule for misfires
	 * counts.
	 */
	private Duration misfireAfter = Duration.ofSeconds(5);

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Duration getTtl() {
		return this.ttl;
	}

	public void setTtl(Duration ttl) {
		this.ttl = ttl;
	}

	public Duration getMisfireAfter() {
		return this.misfireAfter;
	}

	public void setMisfireAfter(Duration misfireAfter) {
		this.misfireAfter = misfireAfter;
	}

}
