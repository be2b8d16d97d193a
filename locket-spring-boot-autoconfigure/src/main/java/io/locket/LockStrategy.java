package io.locket;

/**
 * The phase of a job's life in which it is unique. The phases and most of their names
 * come from sidekiq-unique-jobs and Cloudtasker.
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
	 * At most one that waits and one that runs. A direct call holds a lease of its key.
	 */
	UNTIL_AND_WHILE_EXECUTING,

	/**
	 * Once in each period of {@link UniqueJob#uniqueFor()}, whatever the job does: the
	 * claim is neither renewed nor given back, also not when the body fails.
	 */
	UNTIL_EXPIRED,

	/**
	 * An ordinary job that is not guarded.
	 */
	NONE;

	/**
	 * Return whether a direct call holds a lease of its key while it runs.
	 * @return {@code true} if the call takes a key lease
	 */
	public boolean leasesDirectCalls() {
		return this == WHILE_EXECUTING || this == UNTIL_EXECUTED || this == UNTIL_AND_WHILE_EXECUTING;
	}

	/**
	 * Return whether a direct call is guarded in any way.
	 * @return {@code true} if a duplicate direct call is a conflict
	 */
	public boolean guardsDirectCalls() {
		return leasesDirectCalls() || this == UNTIL_EXPIRED;
	}

	/**
	 * Return whether a job that waits holds a ticket, so that a duplicate is noticed when
	 * it is enqueued.
	 * @return {@code true} if the job is unique from being enqueued
	 */
	public boolean isUniqueWhileWaiting() {
		return this == UNTIL_EXECUTING || this == UNTIL_EXECUTED || this == UNTIL_AND_WHILE_EXECUTING;
	}

	/**
	 * Return whether a queued run holds a lease of its key while it runs.
	 * @return {@code true} if the run takes a key lease
	 */
	public boolean leasesQueuedRuns() {
		return leasesDirectCalls();
	}

}
