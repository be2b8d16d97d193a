package io.locket.queue;

/**
 * Result of a cancellation.
 */
public enum CancelResult {

	/**
	 * The job has ended as cancelled, now or earlier.
	 */
	CANCELLED,

	/**
	 * The job is running. Its body is notified with the next heartbeat, and the job never
	 * returns to waiting.
	 */
	FLAGGED,

	/**
	 * The job had already ended in another state.
	 */
	ENDED,

	/**
	 * There is no such job.
	 */
	UNKNOWN

}
