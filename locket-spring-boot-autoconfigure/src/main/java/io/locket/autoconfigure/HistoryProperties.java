package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How long jobs are known that have ended, unless they are dead letters.
 */
public class HistoryProperties {

	/**
	 * Age from which jobs that have ended are forgotten.
	 */
	private Duration maxAge = Duration.ofHours(1);

	/**
	 * Number of jobs that have ended above which the oldest is forgotten.
	 */
	private int maxSize = 1000;

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
