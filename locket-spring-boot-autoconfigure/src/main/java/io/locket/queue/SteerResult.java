package io.locket.queue;

/**
 * What became of a job that was to be steered.
 */
public enum SteerResult {

	/**
	 * It was done, now or by an earlier call.
	 */
	DONE,

	/**
	 * The job runs: its body is told with the next heartbeat, and it never returns to
	 * waiting.
	 */
	FLAGGED,

	/**
	 * The job is not, or no longer, one to which this may be done.
	 */
	REFUSED,

	/**
	 * There is no such job, or no longer.
	 */
	UNKNOWN

}
