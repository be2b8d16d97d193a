package io.locket.autoconfigure;

import java.util.List;

import io.locket.schedule.ScheduleDefinition;

/**
 * The schedules that are configured here, all of which can work.
 *
 * @param definitions the schedules
 */
record ConfiguredSchedules(List<ScheduleDefinition> definitions) {

	ConfiguredSchedules {
		definitions = List.copyOf(definitions);
	}

}
