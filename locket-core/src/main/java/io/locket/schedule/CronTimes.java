package io.locket.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Times of a cron expression in a time zone. Expressions differ where clocks are put
 * forward or back, as in the cron of Unix.
 * <p>
 * An expression for every hour, in whatever form its hour field lists all hours, follows
 * elapsed time: it fires in both of the hours that clocks repeat. An expression for
 * certain hours fires once for each time of its day: a skipped time fires at the end of
 * the gap, and a repeated time fires the first time.
 */
final class CronTimes extends FiringTimes {

	private static final int HOUR = 2;

	private static final int HOURS = 24;

	private static final LocalDateTime SOME_DAY = LocalDateTime.of(2000, 1, 1, 0, 0);

	private final CronExpression expression;

	private final ZoneRules rules;

	private final boolean anyHour;

	private CronTimes(CronExpression expression, ZoneId zone, boolean anyHour) {
		this.expression = expression;
		this.rules = zone.getRules();
		this.anyHour = anyHour;
	}

	/**
	 * Creates the times of an expression.
	 * @throws IllegalArgumentException if it does not parse
	 */
	static CronTimes of(String cron, ZoneId zone) {
		CronExpression expression = CronExpression.parse(cron);
		// The text of the parsed expression has macros expanded.
		String hour = StringUtils.tokenizeToStringArray(expression.toString(), " ")[HOUR];
		return new CronTimes(expression, zone, isAny(hour));
	}

	private static boolean isAny(String hour) {
		CronExpression hours = CronExpression.parse("0 0 " + hour + " * * *");
		LocalDateTime time = SOME_DAY.minusNanos(1);
		for (int i = 0; i < HOURS && time != null; i++) {
			time = hours.next(time);
		}
		return SOME_DAY.plusHours(HOURS - 1).equals(time);
	}

	@Override
	@Nullable Instant find(Instant after) {
		return this.anyHour ? nextThatPasses(after) : nextOfTheDay(after);
	}

	/**
	 * Finds the next time by elapsed time. It uses the current offset, from one
	 * transition to the next; local times start again behind each.
	 */
	private @Nullable Instant nextThatPasses(Instant after) {
		Instant from = after;
		while (true) {
			LocalDateTime local = this.expression.next(local(from));
			if (local == null) {
				return null;
			}
			Instant time = local.toInstant(this.rules.getOffset(from));
			ZoneOffsetTransition transition = this.rules.nextTransition(from);
			if (transition == null || time.isBefore(transition.getInstant())) {
				return time;
			}
			from = transition.getInstant();
			LocalDateTime begin = transition.getDateTimeAfter();
			if (begin.equals(this.expression.next(begin.minusNanos(1)))) {
				return from;
			}
		}
	}

	/**
	 * Finds the next time by the time of day. In the second of two repeated hours, the
	 * times of the first are skipped.
	 */
	private @Nullable Instant nextOfTheDay(Instant after) {
		LocalDateTime local = local(after);
		while (true) {
			local = this.expression.next(local);
			if (local == null) {
				return null;
			}
			Instant time = instantOf(local);
			if (time.isAfter(after)) {
				return time;
			}
		}
	}

	private LocalDateTime local(Instant time) {
		return LocalDateTime.ofInstant(time, this.rules.getOffset(time));
	}

	private Instant instantOf(LocalDateTime local) {
		ZoneOffsetTransition transition = this.rules.getTransition(local);
		if (transition != null && transition.isGap()) {
			return transition.getInstant();
		}
		return local.toInstant((transition != null) ? transition.getOffsetBefore() : this.rules.getOffset(local));
	}

}
