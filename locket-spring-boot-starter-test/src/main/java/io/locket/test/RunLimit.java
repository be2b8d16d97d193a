package io.locket.test;

import java.util.List;

import io.locket.queue.memory.InMemoryJobQueue;

/**
 * Limit of the runs that one call of a test causes. Jobs that enqueue one another without
 * an end exceed it.
 */
final class RunLimit {

	/**
	 * The maximum number of runs in addition to the jobs that are known at the start.
	 */
	private static final int TOO_MANY = 1000;

	private static final int REPORTED = 5;

	private final InMemoryJobQueue queue;

	private final int limit;

	RunLimit(InMemoryJobQueue queue, int known) {
		this.queue = queue;
		this.limit = known + TOO_MANY;
	}

	boolean isReached(List<RanJob> runs) {
		return runs.size() >= this.limit;
	}

	/**
	 * Returns the error for runs that have reached the limit.
	 */
	IllegalStateException error(List<RanJob> runs) {
		return new IllegalStateException("No end after " + runs.size()
				+ " runs. Check whether a job enqueues itself, or loses its lease each time. The last runs were\n"
				+ RanJob.lines(runs.subList(runs.size() - REPORTED, runs.size())) + "\nStill waiting are "
				+ this.queue.queues().stream().map(this.queue::counts).toList());
	}

}
