package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;

/**
 * Factory of schedules and their firings.
 */
public final class TestSchedule {

	public static final String GROUP = "group";

	private TestSchedule() {
	}

	public static ScheduleDefinition persistent(String name) {
		return of(name, ScheduleOrigin.PERSISTENT);
	}

	public static ScheduleDefinition of(String name, ScheduleOrigin origin) {
		return of(name, origin, true, null);
	}

	public static ScheduleDefinition of(String name, ScheduleOrigin origin, boolean enabled,
			@Nullable String description) {
		return new ScheduleDefinition(name, GROUP, "job", "[1]", null, null, Duration.ofSeconds(10), ZoneOffset.UTC,
				Misfire.LATEST, null, enabled, description, origin);
	}

	public static ScheduleDefinition every(String name, Duration every) {
		return new ScheduleDefinition(name, GROUP, "job", "[1]", null, null, every, ZoneOffset.UTC, Misfire.LATEST,
				null, true, null, ScheduleOrigin.PERSISTENT);
	}

	/**
	 * Returns a firing of a schedule in its current revision.
	 */
	public static Firing firing(StoredSchedule schedule, Instant time) {
		return firing(schedule, time, TestJob.of(Firing.id(schedule.name(), time)));
	}

	public static Firing firing(StoredSchedule schedule, Instant time, TestJob job) {
		return new Firing(schedule.name(), schedule.revision(), time, time.plus(Duration.ofDays(1)),
				schedule.lastFired(), job.build());
	}

}
