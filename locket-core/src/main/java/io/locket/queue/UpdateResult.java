package io.locket.queue;

/**
 * Result of updating a job.
 */
public enum UpdateResult {

	/**
	 * The job was updated, now or by an earlier call.
	 */
	DONE,

	/**
	 * The job is running. Its body is notified with the next heartbeat, and the job never
	 * returns to waiting.
	 */
	FLAGGED,

	/**
	 * The job does not, or no longer, meet the expectation of the caller, or its state
	 * does not allow the update.
	 */
	REFUSED,

	/**
	 * The job does not, or no longer, exist.
	 */
	UNKNOWN

}
