package io.locket.schedule;

import java.time.Instant;
import java.util.List;

/**
 * All schedules of a namespace.
 *
 * @param revision the revision, which each change raises and no firing does
 * @param time the time of the store's clock
 * @param schedules the schedules, by name
 */
public record ScheduleBook(long revision, Instant time, List<StoredSchedule> schedules) {

	public ScheduleBook {
		schedules = List.copyOf(schedules);
	}

}
