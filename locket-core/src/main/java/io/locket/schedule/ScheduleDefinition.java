package io.locket.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Function;

import io.locket.queue.QueueNames;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;

/**
 * Definition of a schedule: its times and its job. Immutable.
 *
 * @param name the name, 1 to 40 ASCII letters and digits, dots, underscores and hyphens,
 * but not {@code "."} or {@code ".."}
 * @param group the group of processes that elect one leader, which fires it; 1 to 100 of
 * the same characters
 * @param job the name of the job
 * @param arguments its arguments as a JSON array
 * @param queue the queue, or {@code null} for that of the job
 * @param cron the cron expression, as for {@link CronExpression}, or {@code null} exactly
 * if {@code every} is set
 * @param every the interval, at least a second, or {@code null}
 * @param zone the time zone of the cron expression
 * @param misfire the misfire policy
 * @param catchUp the maximum delay of a missed firing that is made up for, or
 * {@code null} for the default
 * @param enabled whether it fires
 * @param description a description of its purpose, or {@code null}
 * @param origin its origin
 */
public record ScheduleDefinition(String name, String group, String job, String arguments, @Nullable String queue,
		@Nullable String cron, @Nullable Duration every, ZoneId zone, Misfire misfire, @Nullable Duration catchUp,
		boolean enabled, @Nullable String description, ScheduleOrigin origin) {

	public ScheduleDefinition {
		Assert.isTrue(ScheduleRules.isName(name),
				() -> "'" + LineText.of(name) + "' is not a valid schedule name: use " + ScheduleRules.NAME);
		Assert.isTrue(ScheduleRules.isGroup(group),
				() -> "'" + LineText.of(group) + "' is not a valid schedule group: use " + ScheduleRules.GROUP);
		Assert.hasText(job, () -> "Schedule '" + name + "' has no job");
		Objects.requireNonNull(arguments, "'arguments' must not be null");
		Objects.requireNonNull(zone, "'zone' must not be null");
		Objects.requireNonNull(misfire, "'misfire' must not be null");
		Objects.requireNonNull(origin, "'origin' must not be null");
		if (queue != null) {
			QueueNames.require(queue);
		}
		Assert.isTrue((cron == null) != (every == null),
				() -> "Schedule '" + name + "' needs either a cron expression or an interval");
		String problem = (cron != null) ? ScheduleRules.problemOfCron(cron) : null;
		Assert.isTrue(problem == null, () -> "The cron expression '" + cron + "' of schedule '" + name + "' " + problem
				+ ". Write " + ScheduleRules.CRON);
		every = inMillis(every, ScheduleRules.SHORTEST_INTERVAL,
				(time) -> "The interval of schedule '" + name + "' must be between 1 s and 36500 days, and is " + time);
		catchUp = inMillis(catchUp, Duration.ZERO,
				(time) -> "Schedule '" + name + "' must catch up on 0 s to 36500 days, and not on " + time);
	}

	/**
	 * Truncates a duration to milliseconds, the precision of stores.
	 */
	private static @Nullable Duration inMillis(@Nullable Duration time, Duration shortest,
			Function<Duration, String> problem) {
		if (time == null) {
			return null;
		}
		Assert.isTrue(ScheduleRules.isBetween(time, shortest, ScheduleRules.LONGEST_TIME), () -> problem.apply(time));
		return Duration.ofMillis(time.toMillis());
	}

	/**
	 * Describes the schedule without the arguments of its job, which must not appear in
	 * logs.
	 */
	@Override
	public String toString() {
		return "schedule '" + this.name + "' of job '" + this.job + "'";
	}

}
