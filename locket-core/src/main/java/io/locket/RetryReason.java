package io.locket;

/**
 * Reason for which a queued job waits, or last waited, in the state
 * {@link JobState#RETRY}.
 */
public enum RetryReason {

	/**
	 * Its last attempt failed.
	 */
	FAILED,

	/**
	 * Its key was held when it was to start, and its conflict strategy is
	 * {@link ConflictStrategy#RESCHEDULE}. No body ran.
	 */
	RESCHEDULED,

	/**
	 * The worker that reserved it has no such job and could not run it. No body ran.
	 */
	DEFERRED

}
