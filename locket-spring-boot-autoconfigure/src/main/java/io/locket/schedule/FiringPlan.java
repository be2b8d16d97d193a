package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a leader is to do about a schedule at a time: computed from what the store says,
 * and no clock.
 *
 * @param due the times to fire now, in order, {@link ScheduleStore#BATCH} at the most
 * @param settled the time up to which nothing remains to be done when these have fired
 * @param next the first time after that, or {@code null} if there is none. One that has
 * come already means that there was more to fire than goes into a call
 */
record FiringPlan(List<Instant> due, Instant settled, @Nullable Instant next) {

	FiringPlan {
		due = List.copyOf(due);
	}

	/**
	 * Plan.
	 * @param schedule the schedule
	 * @param times its times
	 * @param settled the time up to which the leader knows that nothing remains to be
	 * done; times that the store has settled count in any case
	 * @param now the time of the store's clock
	 * @param rules what is late
	 * @return the plan
	 */
	static FiringPlan of(StoredSchedule schedule, FiringTimes times, Instant settled, Instant now, MisfireRules rules) {
		return of(schedule, times, settled, now, rules, schedule.definition().misfire());
	}

	/**
	 * Plan by a rule for misfires that may be another one than that of the schedule.
	 */
	static FiringPlan of(StoredSchedule schedule, FiringTimes times, Instant settled, Instant now, MisfireRules rules,
			Misfire misfire) {
		Instant from = FiringTimes.latest(settled, schedule.firesAfter());
		if (schedule.lastFired() != null) {
			from = FiringTimes.latest(from, schedule.lastFired());
		}
		if (!now.isAfter(from)) {
			return new FiringPlan(List.of(), from, times.next(from));
		}
		List<Instant> due = new ArrayList<>();
		Instant onTime = FiringTimes.latest(from, now.minus(rules.misfireAfter()).minusMillis(1));
		Instant caughtUp = FiringTimes.latest(from, now.minus(rules.catchUp(schedule.definition())).minusMillis(1));
		switch (misfire) {
			case SKIP -> collect(times, onTime, now, due);
			case LATEST -> {
				Instant last = times.last(caughtUp, onTime);
				if (last != null) {
					due.add(last);
				}
				collect(times, onTime, now, due);
			}
			case ALL -> collect(times, caughtUp.isBefore(onTime) ? caughtUp : onTime, now, due);
		}
		boolean full = due.size() == ScheduleStore.BATCH;
		Instant done = full ? due.get(due.size() - 1) : now;
		return new FiringPlan(due, done, times.next(done));
	}

	private static void collect(FiringTimes times, Instant after, Instant upTo, List<Instant> due) {
		Instant time = times.next(after);
		while (time != null && !time.isAfter(upTo) && due.size() < ScheduleStore.BATCH) {
			due.add(time);
			time = times.next(time);
		}
	}

	/**
	 * What is late.
	 *
	 * @param misfireAfter how late a firing is missed
	 * @param catchUp how late a firing that was missed is made up for at the most, unless
	 * its schedule says so
	 */
	record MisfireRules(Duration misfireAfter, Duration catchUp) {

		/**
		 * Return until when a time may fire.
		 */
		Instant latest(ScheduleDefinition definition, Misfire misfire, Instant time) {
			Duration catchUp = (misfire != Misfire.SKIP) ? catchUp(definition) : this.misfireAfter;
			return time.plus((catchUp.compareTo(this.misfireAfter) > 0) ? catchUp : this.misfireAfter);
		}

		Duration catchUp(ScheduleDefinition definition) {
			Duration own = definition.catchUp();
			return (own != null) ? own : this.catchUp;
		}

	}

}
