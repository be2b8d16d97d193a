package io.locket.metrics;

import io.locket.event.ReservationCompleted;

/**
 * Times how this process asks the queues for jobs, as {@link LocketMeters} says. What
 * happens before the first registry is bound is remembered, up to a bound, and recorded
 * there. Thread-safe.
 */
public final class ReservationMetrics extends EventMetrics {

	public ReservationMetrics() {
		on(ReservationCompleted.class,
				(meters, event) -> meters.timer(LocketMeters.RESERVATIONS, outcome(event)).record(event.duration()));
	}

	private static String outcome(ReservationCompleted event) {
		if (event.error() != null) {
			return "unavailable";
		}
		return (event.jobs() > 0) ? "jobs" : "nothing";
	}

}
