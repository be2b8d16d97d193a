package io.locket;

import java.time.Duration;

/**
 * The body of a queued job took longer than the job allows.
 */
public class JobTimeoutException extends RuntimeException {

	private final String job;

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param job the name of the job
	 * @param timeout how long its body may take
	 */
	public JobTimeoutException(String job, Duration timeout) {
		super("The body of job '" + job + "' took longer than its timeout of " + timeout.toMillis() + " ms");
		this.job = job;
		this.timeout = timeout;
	}

	/**
	 * Return the name of the job.
	 * @return the name
	 */
	public String getJob() {
		return this.job;
	}

	/**
	 * Return how long its body may take.
	 * @return the timeout
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
