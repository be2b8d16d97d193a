package io.locket;

/**
 * State of a queued job.
 */
public enum JobState {

	/**
	 * It waits for its due time.
	 */
	SCHEDULED,

	/**
	 * It waits for a worker.
	 */
	READY,

	/**
	 * It waits for the lease of its key, at no cost, and keeps its place.
	 */
	PARKED,

	/**
	 * It waits for its next run after a failure, a rescheduling or a deferral, as its
	 * {@link RetryReason} states.
	 */
	RETRY,

	/**
	 * A worker runs it.
	 */
	RUNNING,

	/**
	 * Its body has returned.
	 */
	SUCCEEDED,

	/**
	 * It ended without a run because its key was held, under
	 * {@link ConflictStrategy#REJECT}.
	 */
	DISCARDED,

	/**
	 * It came back from a run while another job waits in its place. That job has
	 * inherited the earlier due time.
	 */
	SUPERSEDED,

	/**
	 * It has failed for the last time and is kept as a dead letter.
	 */
	DEAD,

	/**
	 * It was cancelled.
	 */
	CANCELLED,

	/**
	 * Its queue was removed.
	 */
	REMOVED;

	/**
	 * Returns whether the job has yet to start.
	 * @return {@code true} if the job is in a waiting state
	 */
	public boolean isWaiting() {
		return ordinal() < RUNNING.ordinal();
	}

	/**
	 * Returns whether the job has ended.
	 * @return {@code true} if its state never changes again
	 */
	public boolean isEnded() {
		return ordinal() > RUNNING.ordinal();
	}

}
