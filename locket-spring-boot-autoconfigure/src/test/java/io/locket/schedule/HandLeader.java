package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.schedule.FiringPlan.MisfireRules;
import org.jspecify.annotations.Nullable;

/**
 * A leader that does nothing by itself: it plans and fires when it is told to, by the
 * clock that it is given, and goes by what the store has answered.
 */
class HandLeader {

	static final MisfireRules RULES = new MisfireRules(ScheduleModel.MISFIRE_AFTER, ScheduleModel.CATCH_UP);

	private static final Duration RECKLESS = Duration.ofSeconds(30);

	private static final int CALLS = 40;

	private final ScheduleStore store;

	private final Sender sender;

	private final Map<String, Instant> settled = new HashMap<>();

	private @Nullable ScheduleBook book;

	@Nullable LeaseProof lease;

	/**
	 * Create a leader.
	 * @param sender what it fires by
	 */
	HandLeader(ScheduleStore store, Sender sender) {
		this.store = store;
		this.sender = sender;
	}

	/**
	 * Begin a term.
	 */
	void elect(LeaseProof lease) {
		this.lease = lease;
		forget();
	}

	/**
	 * Load the schedules before the next round.
	 */
	void forget() {
		this.book = null;
	}

	boolean isFresh() {
		return this.book == null;
	}

	/**
	 * Return whether it looks at the clock of the store when it fires.
	 */
	boolean knowsTheTime() {
		return true;
	}

	/**
	 * Fire what is due.
	 * @param time what it takes for the time of the store, until the store tells
	 * @param looking whether it looks for changes
	 * @param reckless whether it asks for more than it should: for what is paused or
	 * disabled, and for times that have fired or were before a change
	 * @return whether everything was answered
	 */
	boolean round(Instant time, boolean looking, boolean reckless) {
		Instant now = time;
		boolean told = false;
		if (looking && this.book != null && this.store.revision() != this.book.revision()) {
			this.book = null;
		}
		for (int i = 0; i < CALLS && this.lease != null; i++) {
			if (this.book == null) {
				this.book = this.store.load();
				this.settled.clear();
				onLoad(this.book);
				now = this.book.time();
				told = true;
			}
			Map<String, FiringPlan> plans = plan(this.book, now, reckless && i == 0);
			List<Firing> due = firings(this.book, plans);
			if (due.isEmpty()) {
				// What it has not been told may be a time that is still to come.
				if (told) {
					plans.forEach((name, plan) -> this.settled.put(name, plan.settled()));
				}
				return true;
			}
			FiringReply reply = this.sender.send(this.lease, due);
			if (reply == null) {
				onNoAnswer(due);
				return false;
			}
			now = reply.time();
			told = true;
			for (int j = 0; j < due.size(); j++) {
				onResult(due.get(j), reply.results().get(j));
			}
		}
		return false;
	}

	private Map<String, FiringPlan> plan(ScheduleBook book, Instant now, boolean reckless) {
		Map<String, FiringPlan> plans = new HashMap<>();
		for (StoredSchedule schedule : book.schedules()) {
			Instant from = this.settled.getOrDefault(schedule.name(), Instant.EPOCH);
			if (reckless) {
				StoredSchedule before = new StoredSchedule(schedule.definition(), schedule.revision(), false,
						schedule.knownSince(), schedule.firesAfter().minus(RECKLESS), null, null);
				plans.put(schedule.name(), FiringPlan.of(before, FiringTimes.of(before), Instant.EPOCH, now, rules()));
			}
			else if (schedule.definition().enabled() && !schedule.paused()) {
				plans.put(schedule.name(), FiringPlan.of(schedule, FiringTimes.of(schedule), from, now, rules()));
			}
		}
		return plans;
	}

	private List<Firing> firings(ScheduleBook book, Map<String, FiringPlan> plans) {
		List<Firing> firings = new ArrayList<>();
		for (StoredSchedule schedule : book.schedules()) {
			FiringPlan plan = plans.get(schedule.name());
			if (plan != null) {
				plan.due()
					.forEach((time) -> firings
						.add(TestSchedule.firing(schedule, time, FiringTrial.job(Firing.id(schedule.name(), time)))));
			}
		}
		firings.sort(Comparator.comparing(Firing::time));
		return firings.subList(0, Math.min(firings.size(), ScheduleStore.BATCH));
	}

	MisfireRules rules() {
		return RULES;
	}

	void onLoad(ScheduleBook book) {
	}

	void onNoAnswer(List<Firing> firings) {
	}

	void onResult(Firing firing, FiringResult result) {
		if (result == FiringResult.Refused.NOT_LEADER) {
			this.lease = null;
		}
		else if (result == FiringResult.Refused.CHANGED || result == FiringResult.Refused.EARLY) {
			this.book = null;
		}
		else {
			settle(firing);
		}
	}

	final void settle(Firing firing) {
		settle(firing.schedule(), firing.time());
	}

	final void settle(String schedule, Instant time) {
		this.settled.merge(schedule, time, FiringTimes::latest);
	}

	/**
	 * Fires at the store, over a connection on which calls and answers get lost.
	 */
	interface Sender {

		/**
		 * Fire.
		 * @return the reply, or {@code null} if there is no answer
		 */
		@Nullable FiringReply send(LeaseProof leader, List<Firing> firings);

		/**
		 * Put the configured schedules of a leader.
		 * @return as {@link ScheduleStore#configure} does
		 */
		@Nullable Set<String> configure(LeaseProof leader, List<ScheduleDefinition> definitions);

	}

}
