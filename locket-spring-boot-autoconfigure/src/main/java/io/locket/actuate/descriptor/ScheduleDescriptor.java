package io.locket.actuate.descriptor;

import java.time.Instant;

import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A recurring job and its status. Times are those of the store.
 *
 * @param name the name
 * @param description the description, or {@code null}
 * @param group the group of processes that elect one leader, which fires it
 * @param job the name of the job
 * @param arguments its arguments as an array, or a mask
 * @param queue the queue, or {@code null} for that of the job
 * @param cron the cron expression, or {@code null} if it has an interval
 * @param zone the time zone of the cron expression, or {@code null}
 * @param everyMs the interval in milliseconds, or {@code null}
 * @param misfire the policy for missed firings
 * @param catchUpMs the maximum delay after which a missed firing is made up, in
 * milliseconds, or {@code null} for the default
 * @param origin the origin of the schedule
 * @param enabled whether it fires
 * @param paused whether it is paused
 * @param lastFired the last fire time, or {@code null}
 * @param lastResult the result of the last firing, or {@code null}
 * @param nextFiring the next fire time, or {@code null} if there is none
 */
public record ScheduleDescriptor(String name, @Nullable String description, String group, String job, Object arguments,
		@Nullable String queue, @Nullable String cron, @Nullable String zone, @Nullable Long everyMs, Misfire misfire,
		@Nullable Long catchUpMs, ScheduleOrigin origin, boolean enabled, boolean paused, @Nullable Instant lastFired,
		@Nullable ResultDescriptor lastResult, @Nullable Instant nextFiring) implements OperationResponseBody {

	public static ScheduleDescriptor of(ScheduleStatus status, ArgumentMask mask) {
		ScheduleDefinition schedule = status.definition();
		return new ScheduleDescriptor(schedule.name(), schedule.description(), schedule.group(), schedule.job(),
				mask.arguments(schedule.job(), schedule.arguments()), schedule.queue(), schedule.cron(),
				(schedule.cron() != null) ? schedule.zone().getId() : null, Milliseconds.of(schedule.every()),
				schedule.misfire(), Milliseconds.of(schedule.catchUp()), schedule.origin(), schedule.enabled(),
				status.paused(), status.lastFired(),
				(status.lastResult() != null) ? ResultDescriptor.of(status.lastResult()) : null, status.nextFiring());
	}

}
