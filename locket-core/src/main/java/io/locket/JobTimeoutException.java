package io.locket;

import java.time.Duration;

/**
 * Exception for the body of a queued job that exceeded its timeout.
 */
public class JobTimeoutException extends RuntimeException {

	private final String job;

	private final Duration timeout;

	/**
	 * Creates an exception.
	 * @param job the name of the job
	 * @param timeout the maximum time for its body
	 */
	public JobTimeoutException(String job, Duration timeout) {
		super("The body of job '" + job + "' took longer than its timeout of " + timeout.toMillis() + " ms");
		this.job = job;
		this.timeout = timeout;
	}

	/**
	 * Returns the name of the job.
	 * @return the name
	 */
	public String getJob() {
		return this.job;
	}

	/**
	 * Returns the maximum time for the body.
	 * @return the timeout
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
