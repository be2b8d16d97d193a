package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * Status of a schedule. Times are by the clock of the store.
 *
 * @param definition the definition
 * @param paused whether it is paused
 * @param lastFired the last time that has fired, or {@code null}
 * @param lastResult the result of enqueuing the job of that firing, or {@code null}
 * @param nextFiring the next time that will fire, or {@code null} if the schedule will
 * not fire unless it is changed
 */
public record ScheduleStatus(ScheduleDefinition definition, boolean paused, @Nullable Instant lastFired,
		@Nullable EnqueueResult lastResult, @Nullable Instant nextFiring) {

	/**
	 * Creates the status of a schedule at a time.
	 */
	static ScheduleStatus of(StoredSchedule schedule, Instant now) {
		return new ScheduleStatus(schedule.definition(), schedule.paused(), schedule.lastFired(), schedule.lastResult(),
				next(schedule, now));
	}

	private static @Nullable Instant next(StoredSchedule schedule, Instant now) {
		if (schedule.paused() || !schedule.definition().enabled()) {
			return null;
		}
		Instant from = FiringTimes.latest(now, schedule.firesAfter());
		if (schedule.lastFired() != null) {
			from = FiringTimes.latest(from, schedule.lastFired());
		}
		return FiringTimes.of(schedule).next(from);
	}

	/**
	 * Returns the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.definition.name();
	}

}
