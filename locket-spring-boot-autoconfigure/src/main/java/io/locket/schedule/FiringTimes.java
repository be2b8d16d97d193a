package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The times at which a schedule fires, computed from what it says and no clock.
 */
abstract class FiringTimes {

	private static final Duration FIRST_REACH = Duration.ofMinutes(1);

	private static final int FURTHER = 4;

	/**
	 * Return the times of a schedule.
	 */
	static FiringTimes of(StoredSchedule schedule) {
		ScheduleDefinition definition = schedule.definition();
		String cron = definition.cron();
		Duration every = definition.every();
		if (every != null) {
			return new IntervalTimes(schedule.knownSince(), every);
		}
		if (cron == null) {
			throw new IllegalArgumentException(definition + " has no times");
		}
		return CronTimes.of(cron, definition.zone());
	}

	/**
	 * Return the first time that is later than another.
	 * @param after the other time
	 * @return the time, or {@code null} if there is none any more
	 */
	abstract @Nullable Instant next(Instant after);

	/**
	 * Return the last time of a span. What it costs grows with the times at the end of
	 * the span, and not with its length.
	 * @param after the time after which the span begins
	 * @param upTo the time with which it ends
	 * @return the time, or {@code null} if the span has none
	 */
	@Nullable Instant last(Instant after, Instant upTo) {
		if (!upTo.isAfter(after)) {
			return null;
		}
		Duration reach = FIRST_REACH;
		Instant from = upTo;
		while (from.isAfter(after)) {
			from = latest(after, upTo.minus(reach));
			Instant last = lastFrom(from, upTo);
			if (last != null) {
				return last;
			}
			reach = reach.multipliedBy(FURTHER);
		}
		return null;
	}

	private @Nullable Instant lastFrom(Instant from, Instant upTo) {
		Instant last = null;
		Instant time = next(from);
		while (time != null && !time.isAfter(upTo)) {
			last = time;
			time = next(time);
		}
		return last;
	}

	/**
	 * Count the times of a span.
	 * @param after the time after which the span begins
	 * @param before the time before which it ends
	 * @param most how far to count
	 * @return how many they are, or {@code most} if they are more
	 */
	int count(Instant after, Instant before, int most) {
		int count = 0;
		Instant time = next(after);
		while (time != null && time.isBefore(before) && count < most) {
			count++;
			time = next(time);
		}
		return count;
	}

	static Instant latest(Instant one, Instant other) {
		return one.isAfter(other) ? one : other;
	}

}
