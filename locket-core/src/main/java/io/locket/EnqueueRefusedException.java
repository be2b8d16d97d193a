package io.locket;

/**
 * Exception for a job that a guard of the application refused, where the caller receives
 * no result. This is a direct call whose key is held and that was to be enqueued, or a
 * firing of a schedule. Such a call has neither run nor been enqueued.
 */
public class EnqueueRefusedException extends RuntimeException {

	private final String reason;

	/**
	 * Creates an exception for a refused job.
	 * @param job the name of the job
	 * @param reason the reason given by the guard
	 */
	public EnqueueRefusedException(String job, String reason) {
		super("Job '" + job + "' was not enqueued, because a guard refused it: " + reason);
		this.reason = reason;
	}

	/**
	 * Returns the reason given by the guard.
	 * @return the reason
	 */
	public String getReason() {
		return this.reason;
	}

}
