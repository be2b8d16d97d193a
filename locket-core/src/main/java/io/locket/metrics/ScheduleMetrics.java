package io.locket.metrics;

import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;

/**
 * Meters of the firings of schedules while this process leads, as described in
 * {@link LocketMeters}. Events before the first registry is bound are buffered, up to a
 * bound, and recorded in it. Thread-safe.
 */
public final class ScheduleMetrics extends EventMetrics {

	public ScheduleMetrics() {
		on(ScheduleFired.class, ScheduleMetrics::fired);
		on(ScheduleMissed.class, (meters, event) -> meters.counter(LocketMeters.SCHEDULE_MISSED, event.schedule())
			.increment(event.count()));
		on(ScheduleFailed.class,
				(meters, event) -> meters.counter(LocketMeters.SCHEDULE_FAILURES, event.schedule()).increment());
	}

	private static void fired(RegistryMeters meters, ScheduleFired event) {
		if (meters.markRequested(LocketMeters.SCHEDULE_DELAY, event.schedule())) {
			meters.counter(LocketMeters.SCHEDULE_MISSED, event.schedule());
			meters.counter(LocketMeters.SCHEDULE_FAILURES, event.schedule());
		}
		meters
			.counter(LocketMeters.SCHEDULE_FIRINGS, event.schedule(), String.valueOf(event.madeUp()),
					event.duplicate() ? "duplicate" : "accepted")
			.increment();
		meters.timer(LocketMeters.SCHEDULE_DELAY, event.schedule()).record(event.late());
	}

}
