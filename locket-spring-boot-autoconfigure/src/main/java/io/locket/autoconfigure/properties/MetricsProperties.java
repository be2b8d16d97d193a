package io.locket.autoconfigure.properties;

import java.time.Duration;

/**
 * Properties of the meters that are read from Redis.
 */
public class MetricsProperties {

	/**
	 * Maximum age of the queue figures behind the gauges. Older figures are read from
	 * Redis again.
	 */
	private Duration maxAge = Duration.ofSeconds(5);

	public Duration getMaxAge() {
		return this.maxAge;
	}

	public void setMaxAge(Duration maxAge) {
		this.maxAge = maxAge;
	}

}
