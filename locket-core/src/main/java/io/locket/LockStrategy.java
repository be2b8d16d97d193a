package io.locket;

/**
 * Phase of a job's life in which it is unique. The phases and most of their names come
 * from sidekiq-unique-jobs and Cloudtasker.
 */
public enum LockStrategy {

	/**
	 * The strategy of the queue, of {@code locket.job.lock}, or {@link #WHILE_EXECUTING}.
	 */
	DEFAULT,

	/**
	 * Unique from being enqueued until it starts. Direct calls are not guarded.
	 */
	UNTIL_EXECUTING,

	/**
	 * Unique while it runs: a direct call holds a lease of its key.
	 */
	WHILE_EXECUTING,

	/**
	 * Unique from being enqueued until it has ended for good. A direct call holds a lease
	 * of its key.
	 */
	UNTIL_EXECUTED,

	/**
	 * At most one waiting and one running job. A direct call holds a lease of its key.
	 */
	UNTIL_AND_WHILE_EXECUTING,

	/**
	 * Once in each period of {@link UniqueJob#uniqueFor()}, whatever the job does: the
	 * claim is not renewed. Only a queued job that is cancelled or removed before a body
	 * ran releases it. A body that fails does not.
	 */
	UNTIL_EXPIRED,

	/**
	 * An ordinary job that is not guarded.
	 */
	NONE;

	/**
	 * Returns whether a direct call holds a lease of its key while it runs.
	 * @return {@code true} if the call takes a key lease
	 */
	public boolean leasesDirectCalls() {
		return this == WHILE_EXECUTING || this == UNTIL_EXECUTED || this == UNTIL_AND_WHILE_EXECUTING;
	}

	/**
	 * Returns whether a direct call is guarded in any way.
	 * @return {@code true} if a duplicate direct call is a conflict
	 */
	public boolean guardsDirectCalls() {
		return leasesDirectCalls() || this == UNTIL_EXPIRED;
	}

	/**
	 * Returns whether a waiting job holds a ticket, so that a duplicate is detected when
	 * it is enqueued.
	 * @return {@code true} if the job is unique from the time it is enqueued
	 */
	public boolean isUniqueWhileWaiting() {
		return this == UNTIL_EXECUTING || this == UNTIL_EXECUTED || this == UNTIL_AND_WHILE_EXECUTING;
	}

	/**
	 * Returns whether a queued run holds a lease of its key while it runs.
	 * @return {@code true} if the run takes a key lease
	 */
	public boolean leasesQueuedRuns() {
		return leasesDirectCalls();
	}

}
