package io.locket;

/**
 * Where a queued job is in its life.
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
	 * It failed, or was rescheduled, and waits for its next run.
	 */
	RETRY,

	/**
	 * A worker has it.
	 */
	RUNNING,

	/**
	 * Its body has returned.
	 */
	SUCCEEDED,

	/**
	 * It was given up because its key was taken, as {@link ConflictStrategy#REJECT} says.
	 */
	DISCARDED,

	/**
	 * It came back from a run and found that another job waits in its stead.
	 */
	SUPERSEDED,

	/**
	 * It failed for the last time. It is kept as a dead letter.
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
	 * Return whether the job has yet to start.
	 * @return {@code true} if it waits for something
	 */
	public boolean isWaiting() {
		return ordinal() < RUNNING.ordinal();
	}

	/**
	 * Return whether the job is over.
	 * @return {@code true} if it never changes again
	 */
	public boolean isEnded() {
		return ordinal() > RUNNING.ordinal();
	}

}
