package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.locket.schedule.Firing;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.FiringTimes;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStore.Configured;
import io.locket.schedule.StoredSchedule;
import io.locket.schedule.firing.FiringPlan.MisfireRules;
import org.jspecify.annotations.Nullable;

/**
 * Leader without a loop of its own: it plans and fires when it is called, with a given
 * clock and the replies of the store.
 */
class HandLeader {

	static final MisfireRules RULES = new MisfireRules(ScheduleModel.MISFIRE_AFTER, ScheduleModel.CATCH_UP);

	private static final Duration RECKLESS = Duration.ofSeconds(30);

	private static final int CALLS = 40;

	private final ScheduleStore store;

	private final Sender sender;

	private final Map<String, Instant> settled = new HashMap<>();

	private final Map<String, Instant> lastFired = new HashMap<>();

	private @Nullable ScheduleSnapshot snapshot;

	private boolean outdated;

	@Nullable LeaseProof lease;

	/**
	 * Creates a leader.
	 * @param sender the connection to the store
	 */
	HandLeader(ScheduleStore store, Sender sender) {
		this.store = store;
		this.sender = sender;
	}

	/**
	 * Begins a term.
	 */
	void elect(LeaseProof lease) {
		this.lease = lease;
		forget();
	}

	/**
	 * Loads the schedules before the next round.
	 */
	void forget() {
		this.snapshot = null;
	}

	boolean isFresh() {
		return this.snapshot == null;
	}

	/**
	 * Returns whether it knows the clock of the store when it fires, and all firings that
	 * the store has lost.
	 */
	boolean isCurrent() {
		return !this.outdated;
	}

	/**
	 * Handles a loss of firings, of which it is not notified.
	 */
	void failOver() {
		this.outdated = true;
	}

	/**
	 * Fires what is due.
	 * @param time its assumed time of the store, until the store returns it
	 * @param looking whether it checks for changes
	 * @param reckless whether it requests more than it should: paused and disabled
	 * schedules, and times that have fired or were before a change
	 * @return whether each call got its reply
	 */
	boolean round(Instant time, boolean looking, boolean reckless) {
		Instant now = time;
		boolean told = false;
		if (looking && this.snapshot != null && this.store.revision() != this.snapshot.revision()) {
			this.snapshot = null;
		}
		for (int i = 0; i < CALLS && this.lease != null; i++) {
			if (this.snapshot == null) {
				this.snapshot = this.store.load();
				this.settled.clear();
				this.lastFired.clear();
				this.outdated = false;
				onLoad(this.snapshot);
				now = this.snapshot.time();
				told = true;
			}
			Map<String, FiringPlan> plans = plan(this.snapshot, now, reckless && i == 0);
			List<Firing> due = firings(this.snapshot, plans);
			if (due.isEmpty()) {
				// A time without a reply may still be in the future.
				if (told) {
					plans.forEach((name, plan) -> this.settled.put(name, plan.settled()));
				}
				return true;
			}
			FiringReply reply = this.sender.send(this.lease, due);
			if (reply == null) {
				onNoReply(due);
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

	private Map<String, FiringPlan> plan(ScheduleSnapshot snapshot, Instant now, boolean reckless) {
		Map<String, FiringPlan> plans = new HashMap<>();
		for (StoredSchedule schedule : snapshot.schedules()) {
			Instant from = this.settled.getOrDefault(schedule.name(), Instant.EPOCH);
			if (reckless) {
				StoredSchedule before = new StoredSchedule(schedule.definition(), schedule.revision(), false,
						schedule.knownSince(), schedule.firesAfter().minus(RECKLESS), null, null);
				plans.put(schedule.name(), FiringPlan.of(before, FiringTimes.of(before), Instant.EPOCH, now, rules(),
						before.definition().misfire()));
			}
			else if (schedule.definition().enabled() && !schedule.paused()) {
				plans.put(schedule.name(), FiringPlan.of(schedule, FiringTimes.of(schedule), from, now, rules(),
						schedule.definition().misfire()));
			}
		}
		return plans;
	}

	private List<Firing> firings(ScheduleSnapshot snapshot, Map<String, FiringPlan> plans) {
		List<Firing> firings = new ArrayList<>();
		for (StoredSchedule schedule : snapshot.schedules()) {
			FiringPlan plan = plans.get(schedule.name());
			if (plan != null) {
				plan.due()
					.forEach((time) -> firings
						.add(new Firing(schedule.name(), schedule.revision(), time, time.plus(Duration.ofDays(1)),
								this.lastFired.getOrDefault(schedule.name(), schedule.lastFired()),
								FiringTrial.job(Firing.id(schedule.name(), time)).build())));
			}
		}
		firings.sort(Comparator.comparing(Firing::time));
		return firings.subList(0, Math.min(firings.size(), ScheduleStore.BATCH));
	}

	MisfireRules rules() {
		return RULES;
	}

	void onLoad(ScheduleSnapshot snapshot) {
	}

	void onNoReply(List<Firing> firings) {
	}

	void onResult(Firing firing, FiringResult result) {
		if (result == FiringResult.Refused.NOT_LEADER) {
			this.lease = null;
		}
		else if (result == FiringResult.Refused.CHANGED || result == FiringResult.Refused.EARLY) {
			this.snapshot = null;
		}
		else {
			settle(firing);
		}
		if (result instanceof FiringResult.Fired) {
			this.lastFired.put(firing.schedule(), firing.time());
		}
	}

	final void settle(Firing firing) {
		settle(firing.schedule(), firing.time());
	}

	final void settle(String schedule, Instant time) {
		this.settled.merge(schedule, time, FiringTimes::latest);
	}

	/**
	 * Connection to the store on which calls and replies get lost.
	 */
	interface Sender {

		/**
		 * Fires schedules.
		 * @return the reply, or {@code null} if there is no reply
		 */
		@Nullable FiringReply send(LeaseProof leader, List<Firing> firings);

		/**
		 * Puts the configured schedules of a leader.
		 * @return as {@link ScheduleStore#configure} does
		 */
		@Nullable Configured configure(LeaseProof leader, List<ScheduleDefinition> definitions);

	}

}
