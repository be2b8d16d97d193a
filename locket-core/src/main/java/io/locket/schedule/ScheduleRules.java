package io.locket.schedule;

import java.time.Duration;
import java.time.LocalDateTime;

import io.locket.text.NameRule;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Rules for schedules, with texts that start-up and run time share.
 */
public final class ScheduleRules {

	private static final NameRule NAMES = new NameRule("._-", 40);

	private static final NameRule GROUPS = new NameRule("._-", 100);

	/**
	 * Text of the rule for names, for the end of a message.
	 */
	public static final String NAME = NAMES.toString();

	/**
	 * Text of the rule for groups, for the end of a message.
	 */
	public static final String GROUP = GROUPS.toString();

	/**
	 * Text of the rule for cron expressions, for the end of a message.
	 */
	public static final String CRON = "six fields, for second, minute, hour, day of the month, month and day of the"
			+ " week, such as '0 30 3 * * *', or a macro such as '@daily'";

	/**
	 * Message for a process that has lost its lease.
	 */
	public static final String LOST = "The lease of this process is lost: nothing was put";

	/**
	 * Minimum interval.
	 */
	public static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

	/**
	 * Maximum interval, and maximum catch-up time.
	 */
	public static final Duration LONGEST_TIME = Duration.ofDays(36500);

	private static final LocalDateTime SOME_DAY = LocalDateTime.of(2000, 1, 1, 0, 0);

	private static final int FIELDS_OF_UNIX = 5;

	private ScheduleRules() {
	}

	/**
	 * Returns whether a name is a valid schedule name.
	 * @param name the name
	 * @return {@code true} if it is valid
	 */
	public static boolean isName(String name) {
		return NAMES.matches(name);
	}

	/**
	 * Returns whether a group is a valid schedule group.
	 * @param group the group
	 * @return {@code true} if it is valid
	 */
	public static boolean isGroup(String group) {
		return GROUPS.matches(group);
	}

	/**
	 * Checks a cron expression.
	 * @param cron the expression
	 * @return the problem, to follow the expression in a message, or {@code null} if it
	 * is valid
	 */
	public static @Nullable String problemOfCron(String cron) {
		CronExpression expression;
		try {
			expression = CronExpression.parse(cron);
		}
		catch (IllegalArgumentException ex) {
			return isOfUnix(cron) ? "has 5 fields, but needs seconds as the first one: '0 " + cron.trim() + "'"
					: "does not parse (" + ex.getMessage() + ")";
		}
		return (expression.next(SOME_DAY) != null) ? null : "never fires";
	}

	private static boolean isOfUnix(String cron) {
		return StringUtils.tokenizeToStringArray(cron, " ").length == FIELDS_OF_UNIX
				&& CronExpression.isValidExpression("0 " + cron);
	}

	/**
	 * Returns the reason why a name cannot be put.
	 * @param name the name
	 * @param group the group that has it
	 * @return a sentence
	 */
	public static String taken(String name, String group) {
		return "Schedule '" + name + "' belongs to group '" + group
				+ "': choose another name, or put it from a process with that locket.leader.group";
	}

	/**
	 * Returns the reason why a schedule cannot be removed.
	 * @param name its name
	 * @return a sentence
	 */
	public static String configured(String name) {
		return "Schedule '" + name + "' is configured: remove it from locket.schedules, or pause it";
	}

	static boolean isBetween(Duration time, Duration shortest, Duration longest) {
		return time.compareTo(shortest) >= 0 && time.compareTo(longest) <= 0;
	}

}
