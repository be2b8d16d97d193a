package io.locket.schedule.firing;

import java.time.Instant;

import io.locket.schedule.FiringTimes;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * State of a schedule in the leader, for one revision: the time up to which everything is
 * done, the time of the next action, and whether its job could not be enqueued. Not
 * thread-safe.
 */
final class PlannedSchedule {

	private static final ExponentialBackOff BACKOFF = new ExponentialBackOff(1000, 2);

	static {
		BACKOFF.setMaxInterval(60_000);
	}

	private final StoredSchedule schedule;

	private @Nullable FiringTimes times;

	private Instant settled;

	/**
	 * Last time that has fired according to the store, or {@code null}.
	 */
	private @Nullable Instant lastFired;

	private @Nullable Instant attendAt;

	/**
	 * Delays of retries, or {@code null} if its job could be enqueued the last time.
	 */
	private @Nullable BackOffExecution retries;

	PlannedSchedule(StoredSchedule schedule) {
		this.schedule = schedule;
		Instant last = schedule.lastFired();
		this.settled = (last != null) ? FiringTimes.latest(last, schedule.firesAfter()) : schedule.firesAfter();
		this.lastFired = last;
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
	 * Returns its times. They are computed when they are first needed, so that an invalid
	 * definition fails this schedule only.
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
	 * Returns the time up to which nothing is missed: later than the time up to which
	 * everything is done if a time has fired and the reply was lost.
	 */
	Instant notMissed() {
		Instant last = this.lastFired;
		return (last != null) ? FiringTimes.latest(this.settled, last) : this.settled;
	}

	/**
	 * Returns the last time that has fired according to the store, or {@code null}.
	 */
	@Nullable Instant lastFired() {
		return this.lastFired;
	}

	/**
	 * Records the last time that has fired according to the store.
	 */
	void lastFired(@Nullable Instant time) {
		this.lastFired = time;
	}

	/**
	 * Returns whether the store has lost a firing that it had confirmed. In one revision,
	 * its last firing never becomes earlier otherwise.
	 * @param found the last time that has fired according to the store, now
	 */
	boolean hasLost(@Nullable Instant found) {
		Instant last = this.lastFired;
		return last != null && (found == null || found.isBefore(last));
	}

	/**
	 * Returns the time of the next action, or {@code null} for never.
	 */
	@Nullable Instant attendAt() {
		return this.attendAt;
	}

	/**
	 * Returns whether its job could not be enqueued the last time.
	 */
	boolean isFailing() {
		return this.retries != null;
	}

	/**
	 * Creates a plan. A failing schedule is retried within its catch-up time, even if its
	 * policy drops missed firings.
	 */
	FiringPlan plan(Instant now, FiringPlan.MisfireRules rules) {
		return FiringPlan.of(this.schedule, times(), this.settled, now, rules, misfire());
	}

	/**
	 * Returns the misfire policy that applies now.
	 */
	Misfire misfire() {
		Misfire misfire = definition().misfire();
		return (isFailing() && misfire == Misfire.SKIP) ? Misfire.LATEST : misfire;
	}

	/**
	 * Records that everything is done up to a time.
	 */
	void settle(Instant time) {
		this.settled = FiringTimes.latest(this.settled, time);
	}

	/**
	 * Sets the time of the next action.
	 */
	void attend(@Nullable Instant time) {
		this.attendAt = time;
	}

	/**
	 * Records that its job was enqueued, or that there is nothing to enqueue any more.
	 */
	void recover() {
		this.retries = null;
	}

	/**
	 * Records that its job could not be enqueued, and retries with increasing delay.
	 * @return whether it was not failing before
	 */
	boolean fail(Instant now) {
		BackOffExecution last = this.retries;
		BackOffExecution current = (last != null) ? last : BACKOFF.start();
		this.retries = current;
		this.attendAt = now.plusMillis(current.nextBackOff());
		return last == null;
	}

}
