package io.locket.schedule;

import java.time.Instant;
import java.util.List;

/**
 * Snapshot of all schedules of a namespace.
 *
 * @param revision the revision, which increases with each change but not with firings
 * @param time the time of the store's clock
 * @param schedules the schedules, by name
 */
public record ScheduleSnapshot(long revision, Instant time, List<StoredSchedule> schedules) {

	public ScheduleSnapshot {
		schedules = List.copyOf(schedules);
	}

}
