package io.locket.queue.redis;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Script of the queue. It consists of the parts that all scripts share, and of its own
 * ones. A fast path shares only the clock, does the work in common cases, and does
 * nothing in all others.
 */
enum QueueScript {

	/**
	 * Enqueues jobs.
	 */
	ENQUEUE("entry", "enqueue"),

	/**
	 * Hands out jobs.
	 */
	RESERVE("restore", "attempts", "reservation", "reserve"),

	/**
	 * Ends runs and hands out jobs.
	 */
	SETTLE("restore", "attempts", "reservation", "settle"),

	/**
	 * Renews the leases of runs.
	 */
	RENEW("renew"),

	/**
	 * Stores the progress of runs.
	 */
	PROGRESS("progress"),

	/**
	 * Pauses and resumes a queue.
	 */
	PAUSE("pause"),

	/**
	 * Removes the waiting jobs of a queue.
	 */
	REMOVE("remove"),

	/**
	 * Checks and repairs the store.
	 */
	CHECK("restore", "check"),

	/**
	 * Returns the job or holder that blocks a key.
	 */
	BLOCKER("blocker"),

	/**
	 * Lists jobs.
	 */
	LIST("list"),

	/**
	 * Returns the due times of a queue.
	 */
	DUE_TIMES("due-times"),

	/**
	 * Updates jobs.
	 */
	UPDATE("entry", "update"),

	/**
	 * Requeues dead letters.
	 */
	REQUEUE("entry", "requeue"),

	/**
	 * Returns the overview of all queues.
	 */
	OVERVIEW("overview"),

	/**
	 * Returns pollers and running jobs.
	 */
	WORKERS("workers"),

	/**
	 * Lets idle workers record their next polls.
	 */
	REQUEST_POLLS("request-polls"),

	/**
	 * Lists and discards records that cannot be read.
	 */
	UNREADABLE("restore", "unreadable"),

	/**
	 * Quiets and resumes workers.
	 */
	QUIET("quiet"),

	/**
	 * Stores and returns counts per minute.
	 */
	MINUTES("minutes"),

	/**
	 * Enqueues jobs, refuses duplicates, or does nothing.
	 */
	ADMIT("admit"),

	/**
	 * Enqueues one job as {@link #ADMIT} does, refuses a duplicate, or does nothing.
	 */
	ADMIT_ONE("admit-one"),

	/**
	 * Does the same as {@link #ADMIT_ONE} with a job that has a start time.
	 */
	ADMIT_LATER("admit-later"),

	/**
	 * Enqueues one job, or lets it replace the one that has its ticket, or does nothing.
	 */
	REPLACE("replace"),

	/**
	 * Ends successful runs and hands out jobs whose keys are free, or does nothing.
	 */
	TURN("turn"),

	/**
	 * Does the same as {@link #TURN} if keys are held or have parked jobs.
	 */
	HANDOVER("handover"),

	/**
	 * Ends failed runs, or does nothing.
	 */
	FAIL("fail");

	private static final Set<QueueScript> FAST_PATHS = EnumSet.of(ADMIT, ADMIT_ONE, ADMIT_LATER, REPLACE, TURN,
			HANDOVER, FAIL);

	private final List<String> parts;

	QueueScript(String... parts) {
		this.parts = List.of(parts);
	}

	boolean isFastPath() {
		return FAST_PATHS.contains(this);
	}

	/**
	 * Returns the names of its own parts, in their order.
	 */
	List<String> parts() {
		return this.parts;
	}

}
