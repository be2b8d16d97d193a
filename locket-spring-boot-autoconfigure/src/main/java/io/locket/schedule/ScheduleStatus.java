package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * A schedule, and how it stands. Times are those of the store's clock.
 *
 * @param definition what it does, and when
 * @param paused whether it is paused
 * @param lastFired the last time that has fired, or {@code null}
 * @param lastResult what became of that firing's job, or {@code null}
 * @param nextFiring the next time that will fire, or {@code null} if there is none as
 * long as the schedule is as it is
 */
public record ScheduleStatus(ScheduleDefinition definition, boolean paused, @Nullable Instant lastFired,
		@Nullable EnqueueResult lastResult, @Nullable Instant nextFiring) {

	/**
	 * Look how a schedule stands at a time.
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
	 * Return the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.definition.name();
	}

}
