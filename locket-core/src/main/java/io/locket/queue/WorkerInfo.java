package io.locket.queue;

import java.time.Instant;

/**
 * Process that takes jobs, as seen by the store. Immutable.
 *
 * @param instance the process
 * @param lastSeen the time of its last recorded request for jobs, by the clock of the
 * store; the current time while it runs a job whose lease holds. At most half a minute
 * ago if the process is alive
 * @param pollers the number of its threads that have requested jobs within the last hour
 * @param running the number of its running jobs among the {@value #MAX_RUNNING} examined
 * in the fleet
 * @param quiet whether its workers take no new jobs, because an operator has quieted them
 */
public record WorkerInfo(String instance, Instant lastSeen, int pollers, int running, boolean quiet) {

	/**
	 * Approximate number of running jobs that are examined.
	 */
	public static final int MAX_RUNNING = 1000;

	/**
	 * Creates the information on a process that takes jobs.
	 * @param instance the process
	 * @param lastSeen the time at which it was last seen
	 * @param pollers the number of its threads that have requested jobs
	 * @param running the number of its running jobs
	 */
	public WorkerInfo(String instance, Instant lastSeen, int pollers, int running) {
		this(instance, lastSeen, pollers, running, false);
	}

}
