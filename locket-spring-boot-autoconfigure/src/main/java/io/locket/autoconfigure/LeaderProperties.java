package io.locket.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How the fleet finds its leader, and what that does.
 */
public class LeaderProperties {

	/**
	 * Whether this process may become the leader, which fires schedules.
	 */
	private boolean enabled = true;

	/**
	 * Group of the processes that elect one leader among them, which fires the schedules
	 * of that group. Letters, digits, '.', '_' and '-'. The name of the application if it
	 * is not set.
	 */
	private @Nullable String group;

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

	public @Nullable String getGroup() {
		return this.group;
	}

	public void setGroup(@Nullable String group) {
		this.group = group;
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
