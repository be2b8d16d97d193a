package io.locket.actuate;

import java.time.Instant;

import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A recurring job, and how it stands. Times are the store's.
 *
 * @param name the name
 * @param description what it is for, or {@code null}
 * @param group the processes that elect one leader, which fires it
 * @param job the name of the job
 * @param arguments its arguments as an array, or a mask
 * @param queue the queue, or {@code null} for that of the job
 * @param cron the cron expression, or {@code null} if it has an interval
 * @param zone the time zone of that, or {@code null}
 * @param everyMs the interval in milliseconds, or {@code null}
 * @param misfire what becomes of firings that were missed
 * @param catchUpMs how late a firing is made up for at the most, in milliseconds, or
 * {@code null} for the default
 * @param origin where it comes from
 * @param enabled whether it fires
 * @param paused whether it is paused
 * @param lastFired the last time that has fired, or {@code null}
 * @param lastResult what became of that firing's job, or {@code null}
 * @param nextFiring the next time that will fire, or {@code null} if there is none
 */
public record ScheduleDescriptor(String name, @Nullable String description, String group, String job, Object arguments,
		@Nullable String queue, @Nullable String cron, @Nullable String zone, @Nullable Long everyMs, Misfire misfire,
		@Nullable Long catchUpMs, ScheduleOrigin origin, boolean enabled, boolean paused, @Nullable Instant lastFired,
		@Nullable ResultDescriptor lastResult, @Nullable Instant nextFiring) implements OperationResponseBody {

	static ScheduleDescriptor of(ScheduleStatus status, ArgumentMask mask) {
		ScheduleDefinition schedule = status.definition();
		return new ScheduleDescriptor(schedule.name(), schedule.description(), schedule.group(), schedule.job(),
				mask.arguments(schedule.job(), schedule.arguments()), schedule.queue(), schedule.cron(),
				(schedule.cron() != null) ? schedule.zone().getId() : null, Milliseconds.of(schedule.every()),
				schedule.misfire(), Milliseconds.of(schedule.catchUp()), schedule.origin(), schedule.enabled(),
				status.paused(), status.lastFired(),
				(status.lastResult() != null) ? ResultDescriptor.of(status.lastResult()) : null, status.nextFiring());
	}

}
