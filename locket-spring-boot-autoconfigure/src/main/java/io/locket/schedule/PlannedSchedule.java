package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A schedule as the leader goes by it, in one revision: up to when everything is done,
 * when to attend to it, and whether its job could not be enqueued. Not thread-safe.
 */
final class PlannedSchedule {

	private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);

	private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

	private final StoredSchedule schedule;

	private @Nullable FiringTimes times;

	private Instant settled;

	private @Nullable Instant attendAt;

	private @Nullable Duration backoff;

	PlannedSchedule(StoredSchedule schedule) {
		this.schedule = schedule;
		Instant last = schedule.lastFired();
		this.settled = (last != null) ? FiringTimes.latest(last, schedule.firesAfter()) : schedule.firesAfter();
		this.attendAt = this.settled;
	}

	String name() {
		return this.schedule.name();
	}

	StoredSchedule schedule() {
		return this.schedule;
	}

	ScheduleDefinition definition() {
		return this.schedule.definition();
	}

	/**
	 * Its times, found out when they are first needed: whatever is wrong with them is a
	 * failure of this schedule alone.
	 */
	FiringTimes times() {
		FiringTimes known = this.times;
		if (known == null) {
			known = FiringTimes.of(this.schedule);
			this.times = known;
		}
		return known;
	}

	/**
	 * The time up to which nothing remains to be done.
	 */
	Instant settled() {
		return this.settled;
	}

	/**
	 * When to attend to the schedule, or {@code null} for never.
	 */
	@Nullable Instant attendAt() {
		return this.attendAt;
	}

	/**
	 * Whether its job could not be enqueued the last time.
	 */
	boolean isFailing() {
		return this.backoff != null;
	}

	/**
	 * Plan. A schedule that fails is retried within its catch-up even if what it misses
	 * is dropped otherwise.
	 */
	FiringPlan plan(Instant now, FiringPlan.MisfireRules rules) {
		return FiringPlan.of(this.schedule, times(), this.settled, now, rules, misfire());
	}

	/**
	 * What becomes of what it misses now.
	 */
	Misfire misfire() {
		Misfire misfire = definition().misfire();
		return (isFailing() && misfire == Misfire.SKIP) ? Misfire.LATEST : misfire;
	}

	/**
	 * Nothing remains to be done up to a time.
	 */
	void settle(Instant time) {
		this.settled = FiringTimes.latest(this.settled, time);
	}

	/**
	 * Attend to the schedule at a time.
	 */
	void attend(@Nullable Instant time) {
		this.attendAt = time;
	}

	/**
	 * Its job was enqueued, or there is nothing to enqueue any more.
	 * @return whether it had failed
	 */
	boolean recover() {
		boolean failed = isFailing();
		this.backoff = null;
		return failed;
	}

	/**
	 * Its job could not be enqueued: try again later, and later each time.
	 * @return whether that is new
	 */
	boolean fail(Instant now) {
		Duration last = this.backoff;
		Duration next = (last != null) ? last.multipliedBy(2) : FIRST_BACKOFF;
		this.backoff = (next.compareTo(LONGEST_BACKOFF) < 0) ? next : LONGEST_BACKOFF;
		this.attendAt = now.plus(this.backoff);
		return last == null;
	}

}
