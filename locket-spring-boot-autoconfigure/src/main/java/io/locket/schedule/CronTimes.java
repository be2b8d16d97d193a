package io.locket.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * Times of a cron expression in a time zone. Where clocks are put forward or back, two
 * kinds differ, as in the cron of Unix.
 * <p>
 * An expression for any hour, whose field for hours begins with {@code *}, goes by the
 * time that passes: it fires in both of the hours that clocks show twice. One for certain
 * hours fires once for each time of its day: a time that clocks skip at the end of what
 * they skip, and one that they show twice the first time.
 */
final class CronTimes extends FiringTimes {

	private static final int HOUR = 2;

	private final CronExpression expression;

	private final ZoneId zone;

	private final boolean anyHour;

	private CronTimes(CronExpression expression, ZoneId zone, boolean anyHour) {
		this.expression = expression;
		this.zone = zone;
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
		return new CronTimes(expression, zone, hour.startsWith("*"));
	}

	@Override
	@Nullable Instant next(Instant after) {
		return this.anyHour ? nextThatPasses(after) : nextOfTheDay(after);
	}

	private @Nullable Instant nextThatPasses(Instant after) {
		ZonedDateTime next = this.expression.next(after.atZone(this.zone));
		return (next != null) ? next.toInstant() : null;
	}

	/**
	 * In the second of two hours of the same name, those of the first are left behind.
	 */
	private @Nullable Instant nextOfTheDay(Instant after) {
		LocalDateTime local = LocalDateTime.ofInstant(after, this.zone);
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

	private Instant instantOf(LocalDateTime local) {
		ZoneRules rules = this.zone.getRules();
		ZoneOffsetTransition transition = rules.getTransition(local);
		if (transition != null && transition.isGap()) {
			return transition.getInstant();
		}
		return local.toInstant((transition != null) ? transition.getOffsetBefore() : rules.getOffset(local));
	}

}
