package io.locket.autoconfigure.properties;

import java.time.Duration;

import io.locket.queue.FailedAttempt;

/**
 * Properties for the retention of ended jobs other than dead letters, and of failed
 * attempts.
 */
public class HistoryProperties {

	/**
	 * Age after which an ended job is deleted.
	 */
	private Duration maxAge = Duration.ofHours(1);

	/**
	 * Maximum number of ended jobs. The oldest are deleted first.
	 */
	private int maxSize = 1000;

	/**
	 * Maximum number of failed attempts that are kept of a job, with their stack traces.
	 */
	private int attempts = FailedAttempt.DEFAULT_KEPT;

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

	public int getAttempts() {
		return this.attempts;
	}

	public void setAttempts(int attempts) {
		this.attempts = attempts;
	}

}
