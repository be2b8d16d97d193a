package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.locket.schedule.FiringTimes;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

/**
 * Plan of a leader for a schedule at a time. It is computed from the data of the store,
 * without a clock.
 *
 * @param due the times to fire now, in order, at most {@link ScheduleStore#BATCH}
 * @param settled the time up to which everything is done when these have fired
 * @param next the first time after that, or {@code null} if there is none. If it is
 * already due, there are more times to fire than fit into a call
 */
record FiringPlan(List<Instant> due, Instant settled, @Nullable Instant next) {

	FiringPlan {
		due = List.copyOf(due);
	}

	/**
	 * Creates a plan.
	 * @param schedule the schedule
	 * @param times its times
	 * @param settled the time up to which the leader knows that everything is done; times
	 * settled by the store count in any case
	 * @param now the time of the store's clock
	 * @param rules the misfire rules
	 * @param misfire the misfire policy, which may differ from that of the schedule
	 * @return the plan
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
	 * Misfire rules.
	 *
	 * @param misfireAfter the delay after which a firing counts as missed
	 * @param catchUp the maximum delay of a missed firing that is made up for, unless its
	 * schedule sets its own
	 */
	record MisfireRules(Duration misfireAfter, Duration catchUp) {

		/**
		 * Returns the latest time at which a firing may happen.
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
