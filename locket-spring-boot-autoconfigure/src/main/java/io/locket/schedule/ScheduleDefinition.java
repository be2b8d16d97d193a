package io.locket.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Function;

import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;

/**
 * What a schedule is to do, and when. Immutable.
 *
 * @param name the name, 1 to 40 letters and digits of ASCII, dots, underscores and
 * hyphens
 * @param group the processes that elect one leader, which fires it; 1 to 100 of the same
 * characters
 * @param job the name of the job
 * @param arguments its arguments as a JSON array
 * @param queue the queue, or {@code null} for that of the job
 * @param cron when, as {@link CronExpression} has it, or {@code null} exactly if
 * {@code every} is set
 * @param every at which interval, at least a second, or {@code null}
 * @param zone the time zone of the cron expression
 * @param misfire what becomes of firings that were missed
 * @param catchUp how late a firing is made up for at the most, or {@code null} for the
 * default
 * @param enabled whether it fires
 * @param description what it is for, or {@code null}
 * @param origin where it comes from
 */
public record ScheduleDefinition(String name, String group, String job, String arguments, @Nullable String queue,
		@Nullable String cron, @Nullable Duration every, ZoneId zone, Misfire misfire, @Nullable Duration catchUp,
		boolean enabled, @Nullable String description, ScheduleOrigin origin) {

	public ScheduleDefinition {
		Assert.isTrue(ScheduleRules.isName(name), () -> "'" + name.replaceAll("\\p{Cntrl}", "?")
				+ "' is no name of a schedule: write " + ScheduleRules.NAME);
		Assert.isTrue(ScheduleRules.isGroup(group), () -> "'" + group.replaceAll("\\p{Cntrl}", "?")
				+ "' is no group of schedules: write " + ScheduleRules.GROUP);
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
	 * Stores keep milliseconds.
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
	 * Names the schedule without the arguments of its job, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "schedule '" + this.name + "' of job '" + this.job + "'";
	}

}
