package io.locket.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A time at which scheduled jobs are due. Immutable.
 *
 * @param time the time, to the millisecond
 * @param jobs how many jobs are due then
 */
public record DueTime(Instant time, long jobs) {

	/**
	 * Upper limit of due times.
	 */
	private static final Instant NEVER = Instant.ofEpochMilli(100_000_000_000_000L);

	/**
	 * Rounds a time up to the next millisecond, the precision of a store. No job is due
	 * in between.
	 */
	public static Instant roundUp(Instant time) {
		if (time.isAfter(NEVER)) {
			return NEVER;
		}
		if (time.isBefore(Instant.EPOCH)) {
			return Instant.EPOCH;
		}
		Instant whole = time.truncatedTo(ChronoUnit.MILLIS);
		return whole.isBefore(time) ? whole.plusMillis(1) : whole;
	}

}
