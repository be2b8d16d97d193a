package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Times at which a schedule fires, computed from its definition without a clock.
 */
public abstract class FiringTimes {

	/**
	 * Initial time span to search backwards for the last time.
	 */
	private static final Duration FIRST_REACH = Duration.ofMinutes(1);

	private static final int FURTHER = 4;

	/**
	 * Creates the times of a schedule.
	 * @param schedule the schedule
	 * @return the times
	 */
	public static FiringTimes of(StoredSchedule schedule) {
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
	 * Returns the first time that is later than another.
	 * @param after the other time
	 * @return the time, or {@code null} if there are no more
	 * @throws IllegalStateException if the next time is not later, because callers that
	 * iterate over the times would never end
	 */
	public final @Nullable Instant next(Instant after) {
		Instant next = find(after);
		if (next != null && !next.isAfter(after)) {
			throw new IllegalStateException(next + " does not come after " + after);
		}
		return next;
	}

	/**
	 * Finds the first time that is later than another.
	 */
	abstract @Nullable Instant find(Instant after);

	/**
	 * Returns the last time of a span. The cost hardly depends on the length of the span
	 * or the number of its times.
	 * @param after the exclusive start of the span
	 * @param upTo the inclusive end of the span
	 * @return the time, or {@code null} if the span has none
	 */
	public @Nullable Instant last(Instant after, Instant upTo) {
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
	 * Bisects the rest of a span until only one time is left.
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
	 * Counts the times of a span.
	 * @param after the exclusive start of the span
	 * @param before the exclusive end of the span
	 * @param most the maximum count
	 * @return the number of times, at most {@code most}
	 */
	public int count(Instant after, Instant before, int most) {
		int count = 0;
		Instant time = next(after);
		while (time != null && time.isBefore(before) && count < most) {
			count++;
			time = next(time);
		}
		return count;
	}

	public static Instant latest(Instant one, Instant other) {
		return one.isAfter(other) ? one : other;
	}

}
