package io.locket.queue;

/**
 * What became of a cancellation.
 */
public enum CancelResult {

	/**
	 * The job has ended as cancelled, now or before.
	 */
	CANCELLED,

	/**
	 * The job runs: its body is told with the next heartbeat, and it never returns to
	 * waiting.
	 */
	FLAGGED,

	/**
	 * The job had ended otherwise before.
	 */
	ENDED,

	/**
	 * There is no such job.
	 */
	UNKNOWN

}
