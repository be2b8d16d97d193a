package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How the fleet finds its leader.
 */
public class LeaderProperties {

	/**
	 * Whether this process may become the leader.
	 */
	private boolean enabled;

	/**
	 * How long the leader's lease lasts without a heartbeat, which is how long nobody
	 * leads after a leader died.
	 */
	private Duration ttl = Duration.ofMinutes(3);

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

}
