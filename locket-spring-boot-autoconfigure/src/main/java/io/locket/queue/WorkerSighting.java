package io.locket.queue;

import java.time.Instant;

/**
 * A process that takes jobs, as the store has seen it. Immutable.
 *
 * @param instance the process
 * @param lastSeen when it last asked for jobs, or, if that is longer than an hour ago,
 * when the last of those that it runs started, by the store's clock
 * @param lanes how many of its threads have asked for jobs within the last hour
 * @param running how many jobs it runs, of the {@value #MAX_RUNNING} that are looked at
 * over the fleet
 */
public record WorkerSighting(String instance, Instant lastSeen, int lanes, int running) {

	/**
	 * How many jobs that run are looked at, about.
	 */
	public static final int MAX_RUNNING = 1000;

}
