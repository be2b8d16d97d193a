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
	 * Later than any time at which a job may be due.
	 */
	private static final Instant NEVER = Instant.ofEpochMilli(100_000_000_000_000L);

	/**
	 * Round a time up to a millisecond that a store can tell. No job is due between the
	 * two.
	 */
	static Instant roundUp(Instant time) {
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
