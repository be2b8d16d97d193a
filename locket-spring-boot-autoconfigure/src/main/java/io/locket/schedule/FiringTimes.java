package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The times at which a schedule fires, computed from what it says and no clock.
 */
abstract class FiringTimes {

	/**
	 * How far to look back at first for the last time of a span.
	 */
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
	 * @throws IllegalStateException if the times do not go on, as they must: whoever goes
	 * through them would never end
	 */
	final @Nullable Instant next(Instant after) {
		Instant next = find(after);
		if (next != null && !next.isAfter(after)) {
			throw new IllegalStateException(next + " does not come after " + after);
		}
		return next;
	}

	/**
	 * Find the first time that is later than another.
	 */
	abstract @Nullable Instant find(Instant after);

	/**
	 * Return the last time of a span. What it costs hardly grows with the length of the
	 * span, nor with how many times it has.
	 * @param after the time after which the span begins
	 * @param upTo the time with which it ends
	 * @return the time, or {@code null} if the span has none
	 */
	@Nullable Instant last(Instant after, Instant upTo) {
		Duration reach = FIRST_REACH;
		Instant end = upTo;
		while (end.isAfter(after)) {
			Instant from = latest(after, upTo.minus(reach));
			Instant time = nextWithin(from, end);
			if (time != null) {
				return lastFrom(time, end);
			}
			end = from;
			reach = reach.multipliedBy(FURTHER);
		}
		return null;
	}

	/**
	 * Halve what is left of a span until no time is left but one.
	 */
	private Instant lastFrom(Instant first, Instant upTo) {
		Instant last = first;
		Instant end = upTo;
		Instant time = nextWithin(last, end);
		while (time != null) {
			last = time;
			Instant middle = last.plus(Duration.between(last, end).dividedBy(2));
			time = nextWithin(middle, end);
			if (time == null) {
				end = middle;
				time = nextWithin(last, end);
			}
		}
		return last;
	}

	private @Nullable Instant nextWithin(Instant after, Instant upTo) {
		Instant time = next(after);
		return (time != null && !time.isAfter(upTo)) ? time : null;
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
