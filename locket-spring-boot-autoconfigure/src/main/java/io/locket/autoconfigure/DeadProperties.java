package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How long dead letters are kept: jobs that have failed for the last time.
 */
public class DeadProperties {

	/**
	 * Age from which dead letters are forgotten.
	 */
	private Duration maxAge = Duration.ofDays(30);

	/**
	 * Number of dead letters above which the oldest is forgotten.
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
