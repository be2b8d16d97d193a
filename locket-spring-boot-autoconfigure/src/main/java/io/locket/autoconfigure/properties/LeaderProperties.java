package io.locket.autoconfigure.properties;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Properties of the leader election.
 */
public class LeaderProperties {

	/**
	 * Whether this process takes part in the election of the leader, which fires
	 * schedules. If not set, the process takes part once it or its group has schedules.
	 */
	private @Nullable Boolean enabled;

	/**
	 * Group of processes that elect one leader, which fires the schedules of the group.
	 * Letters, digits, '.', '_' and '-'. Uses the application name if not set.
	 */
	private @Nullable String group;

	/**
	 * Duration of the leader's lease without a heartbeat. After a leader dies, there is
	 * no leader for up to this time.
	 */
	private Duration ttl = Duration.ofSeconds(30);

	/**
	 * Delay after which a firing counts as missed and its misfire policy applies.
	 */
	private Duration misfireAfter = Duration.ofSeconds(5);

	public @Nullable Boolean getEnabled() {
		return this.enabled;
	}

	public void setEnabled(@Nullable Boolean enabled) {
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
