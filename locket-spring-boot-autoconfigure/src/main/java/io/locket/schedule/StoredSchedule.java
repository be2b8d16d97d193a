package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as the store has it. All times are those of the store's clock.
 *
 * @param definition what it does
 * @param revision the revision of the store that has last changed it
 * @param paused whether it is paused
 * @param knownSince since when a schedule of this name is known without a break
 * @param firesAfter when it was put, changed or resumed: no time up to then fires any
 * more
 * @param lastFired the last time that has fired, or {@code null}
 * @param lastResult what became of that firing's job, or {@code null}
 */
public record StoredSchedule(ScheduleDefinition definition, long revision, boolean paused, Instant knownSince,
		Instant firesAfter, @Nullable Instant lastFired, @Nullable EnqueueResult lastResult) {

	/**
	 * Return the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.definition.name();
	}

}
