package io.locket.autoconfigure.properties;

import java.time.Duration;

/**
 * Properties for the retention of dead letters, the jobs whose last attempt failed.
 */
public class DeadProperties {

	/**
	 * Age after which a dead letter is deleted.
	 */
	private Duration maxAge = Duration.ofDays(30);

	/**
	 * Maximum number of dead letters. The oldest are deleted first.
	 */
	private int maxSize = 10000;

	public Duration getMaxAge() {
		return this.maxAge;
	}

	public void setMaxAge(Duration maxAge) {
		this.maxAge = maxAge;
	}

	public int getMaxSize() {
		return this.maxSize;
	}

	public void setMaxSize(int maxSize) {
		this.maxSize = maxSize;
	}

}
