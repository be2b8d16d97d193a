package io.locket.schedule;

import java.time.Instant;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * Schedule as it is stored. All times are by the clock of the store.
 *
 * @param definition the definition
 * @param revision the revision of the store that has last changed it
 * @param paused whether it is paused
 * @param knownSince the time since which a schedule of this name has existed without a
 * break
 * @param firesAfter the time when it was put, changed or resumed; times up to then do not
 * fire any more
 * @param lastFired the last time that has fired, or {@code null}
 * @param lastResult the result of enqueuing the job of that firing, or {@code null}
 */
public record StoredSchedule(ScheduleDefinition definition, long revision, boolean paused, Instant knownSince,
		Instant firesAfter, @Nullable Instant lastFired, @Nullable EnqueueResult lastResult) {

	/**
	 * Returns the name of the schedule.
	 * @return the name
	 */
	public String name() {
		return this.definition.name();
	}

}
