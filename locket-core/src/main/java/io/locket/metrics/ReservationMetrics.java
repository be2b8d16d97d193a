package io.locket.metrics;

import io.locket.event.ReservationCompleted;

/**
 * Timers of the reservation calls of this process, as described in {@link LocketMeters}.
 * Events before the first registry is bound are buffered, up to a bound, and recorded in
 * it. Thread-safe.
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
