package io.locket.metrics;

import java.util.concurrent.CancellationException;

import io.locket.event.CallEnded;
import io.locket.event.CallRefused;

/**
 * Timers of guarded direct calls and counters of their conflicts, as described in
 * {@link LocketMeters}. Events before the first registry is bound are buffered, up to a
 * bound, and recorded in it. Thread-safe.
 */
public final class CallMetrics extends EventMetrics {

	public CallMetrics() {
		on(CallEnded.class,
				(meters, event) -> meters.timer(LocketMeters.CALL_EXECUTIONS, event.key().job(), outcome(event))
					.record(event.ran()));
		on(CallRefused.class, (meters, event) -> ConflictPhase.CALL.count(meters, event.key().job(), event.strategy()));
	}

	private static String outcome(CallEnded event) {
		if (event.error() == null) {
			return "succeeded";
		}
		return event.error().equals(CancellationException.class.getName()) ? "cancelled" : "failed";
	}

}
