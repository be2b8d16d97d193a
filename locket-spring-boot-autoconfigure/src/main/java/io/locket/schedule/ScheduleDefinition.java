package io.locket.schedule;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Objects;
import java.util.regex.Pattern;

import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;

/**
 * What a schedule is to do, and when. Immutable.
 *
 * @param name the name, 1 to 40 letters and digits of ASCII, dots, underscores and
 * hyphens
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
public record ScheduleDefinition(String name, String job, String arguments, @Nullable String queue,
		@Nullable String cron, @Nullable Duration every, ZoneId zone, Misfire misfire, @Nullable Duration catchUp,
		boolean enabled, @Nullable String description, ScheduleOrigin origin) {

	/**
	 * The rule for names in words, to end a sentence with.
	 */
	public static final String NAME_RULE = "1 to 40 letters, digits, '.', '_' and '-'";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,40}");

	private static final LocalDateTime SOME_DAY = LocalDateTime.of(2000, 1, 1, 0, 0);

	private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

	private static final Duration LONGEST_TIME = Duration.ofDays(36500);

	public ScheduleDefinition {
		Assert.isTrue(NAME.matcher(name).matches(),
				() -> "'" + name.replaceAll("\\p{Cntrl}", "?") + "' is no name of a schedule: write " + NAME_RULE);
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
		if (cron != null) {
			Assert.notNull(CronExpression.parse(cron).next(SOME_DAY),
					() -> "The cron expression of schedule '" + name + "' never fires: " + cron);
		}
		Assert.isTrue(every == null || isBetween(every, SHORTEST_INTERVAL, LONGEST_TIME),
				() -> "The interval of schedule '" + name + "' must be between 1 s and 36500 days, and is " + every);
		Assert.isTrue(catchUp == null || isBetween(catchUp, Duration.ZERO, LONGEST_TIME),
				() -> "Schedule '" + name + "' must catch up on 0 s to 36500 days, and not on " + catchUp);
	}

	private static boolean isBetween(Duration time, Duration shortest, Duration longest) {
		return time.compareTo(shortest) >= 0 && time.compareTo(longest) <= 0;
	}

	/**
	 * Names the schedule without the arguments of its job, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "schedule '" + this.name + "' of job '" + this.job + "'";
	}

}
