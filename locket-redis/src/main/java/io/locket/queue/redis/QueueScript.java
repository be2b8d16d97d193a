package io.locket.queue.redis;

import java.util.List;

/**
 * Script of the queue. It consists of the parts that all scripts share, and of its own
 * ones. A fast path shares only the clock, does the work in common cases, and does
 * nothing in all others.
 */
enum QueueScript {

	/**
	 * Enqueues jobs.
	 */
	ENQUEUE(false, "entry", "enqueue"),

	/**
	 * Hands out jobs.
	 */
	RESERVE(false, "restore", "attempts", "reservation", "reserve"),

	/**
	 * Ends runs and hands out jobs.
	 */
	SETTLE(false, "restore", "attempts", "reservation", "settle"),

	/**
	 * Renews the leases of runs.
	 */
	RENEW(false, "renew"),

	/**
	 * Stores the progress of runs.
	 */
	PROGRESS(false, "progress"),

	/**
	 * Pauses and resumes a queue.
	 */
	PAUSE(false, "pause"),

	/**
	 * Removes the waiting jobs of a queue.
	 */
	REMOVE(false, "remove"),

	/**
	 * Checks and repairs the store.
	 */
	CHECK(false, "restore", "check"),

	/**
	 * Returns the job or holder that blocks a key.
	 */
	BLOCKER(false, "blocker"),

	/**
	 * Lists jobs.
	 */
	LIST(false, "list"),

	/**
	 * Returns the due times of a queue.
	 */
	DUE_TIMES(false, "due-times"),

	/**
	 * Updates jobs.
	 */
	UPDATE(false, "entry", "update"),

	/**
	 * Requeues dead letters.
	 */
	REQUEUE(false, "entry", "requeue"),

	/**
	 * Returns the overview of all queues.
	 */
	OVERVIEW(false, "overview"),

	/**
	 * Returns pollers and running jobs.
	 */
	WORKERS(false, "workers"),

	/**
	 * Lets idle workers record their next polls.
	 */
	REQUEST_POLLS(false, "request-polls"),

	/**
	 * Lists and discards records that cannot be read.
	 */
	UNREADABLE(false, "restore", "unreadable"),

	/**
	 * Quiets and resumes workers.
	 */
	QUIET(false, "quiet"),

	/**
	 * Stores and returns counts per minute.
	 */
	MINUTES(false, "minutes"),

	/**
	 * Enqueues jobs, refuses duplicates, or does nothing.
	 */
	ADMIT(true, "admit"),

	/**
	 * Enqueues one job as {@link #ADMIT} does, refuses a duplicate, or does nothing.
	 */
	ADMIT_ONE(true, "admit-one"),

	/**
	 * Does the same as {@link #ADMIT_ONE} with a job that has a start time.
	 */
	ADMIT_LATER(true, "admit-later"),

	/**
	 * Enqueues one job, or lets it replace the one that has its ticket, or does nothing.
	 */
	REPLACE(true, "replace"),

	/**
	 * Ends successful runs and hands out jobs whose keys are free, or does nothing.
	 */
	TURN(true, "turn"),

	/**
	 * Does the same as {@link #TURN} if keys are held or have parked jobs.
	 */
	HANDOVER(true, "handover"),

	/**
	 * Ends failed runs, or does nothing.
	 */
	FAIL(true, "fail");

	private final boolean fastPath;

	private final List<String> parts;

	QueueScript(boolean fastPath, String... parts) {
		this.fastPath = fastPath;
		this.parts = List.of(parts);
	}

	boolean isFastPath() {
		return this.fastPath;
	}

	/**
	 * Returns the names of its own parts, in their order.
	 */
	List<String> parts() {
		return this.parts;
	}

}
