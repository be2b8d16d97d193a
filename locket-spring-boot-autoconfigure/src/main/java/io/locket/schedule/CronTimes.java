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
 * Times of a cron expression in a time zone. Where clocks are put forward or back, two
 * kinds differ, as in the cron of Unix.
 * <p>
 * An expression for any hour, whose field for hours names all of them however that is
 * written, goes by the time that passes: it fires in both of the hours that clocks show
 * twice. One for certain hours fires once for each time of its day: a time that clocks
 * skip at the end of what they skip, and one that they show twice the first time.
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
	 * Return the times of an expression.
	 * @throws IllegalArgumentException if it does not parse
	 */
	static CronTimes of(String cron, ZoneId zone) {
		CronExpression expression = CronExpression.parse(cron);
		// A macro is written out in the text of what was parsed.
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
	 * Go by the offset that counts, from one transition to the next: behind each, local
	 * times begin anew.
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
	 * In the second of two hours of the same name, those of the first are left behind.
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
