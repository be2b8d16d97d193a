package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How meters are fed that ask Redis.
 */
public class MetricsProperties {

	/**
	 * How long what Redis has said of the queues serves the gauges of queues before it is
	 * asked again.
	 */
	private Duration maxAge = Duration.ofSeconds(5);

	public Duration getMaxAge() {
		return this.maxAge;
	}

	public void setMaxAge(Duration maxAge) {
		this.maxAge = maxAge;
	}

}
