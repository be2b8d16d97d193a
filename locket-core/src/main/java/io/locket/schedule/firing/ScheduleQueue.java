package io.locket.schedule.firing;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

/**
 * Priority queue of the active schedules of a group, ordered by their next action. Not
 * thread-safe.
 */
final class ScheduleQueue {

	private static final int NAMED = 20;

	private final String group;

	private final Map<String, PlannedSchedule> schedules = new HashMap<>();

	/**
	 * Names of the schedules that are paused.
	 */
	private final Set<String> paused = new TreeSet<>();

	private final PriorityQueue<PlannedSchedule> queue = new PriorityQueue<>(Comparator
		.comparing((PlannedSchedule planned) -> Objects.requireNonNull(planned.attendAt(), "It has no next action"))
		.thenComparing(PlannedSchedule::name));

	ScheduleQueue(String group) {
		this.group = group;
	}

	/**
	 * Replaces the schedules with those of the store. Schedules with an unchanged
	 * revision keep their state, unless the store has lost a firing.
	 * @param snapshot all schedules
	 * @return the names of the schedules of which the store has lost a firing
	 */
	Set<String> replace(ScheduleSnapshot snapshot) {
		Map<String, PlannedSchedule> before = new HashMap<>(this.schedules);
		Set<String> lost = new TreeSet<>();
		forget();
		for (StoredSchedule schedule : snapshot.schedules()) {
			if (isActive(schedule) && schedule.paused()) {
				this.paused.add(schedule.name());
			}
			else if (isActive(schedule)) {
				PlannedSchedule known = before.get(schedule.name());
				if (known == null || known.schedule().revision() != schedule.revision()) {
					known = new PlannedSchedule(schedule);
				}
				else if (known.hasLost(schedule.lastFired())) {
					lost.add(schedule.name());
					known = new PlannedSchedule(schedule);
				}
				known.lastFired(schedule.lastFired());
				this.schedules.put(known.name(), known);
				add(known);
			}
		}
		return lost;
	}

	private boolean isActive(StoredSchedule schedule) {
		ScheduleDefinition definition = schedule.definition();
		return definition.group().equals(this.group) && definition.enabled();
	}

	/**
	 * Removes all schedules.
	 */
	void forget() {
		this.paused.clear();
		this.schedules.clear();
		this.queue.clear();
	}

	/**
	 * Returns the time of the first action, or {@code null} for never.
	 */
	@Nullable Instant first() {
		PlannedSchedule first = this.queue.peek();
		return (first != null) ? first.attendAt() : null;
	}

	/**
	 * Returns the first schedule if its action is due at a time, without removing it.
	 */
	@Nullable PlannedSchedule peek(Instant now) {
		PlannedSchedule first = this.queue.peek();
		return (first != null && !now.isBefore(Objects.requireNonNull(first.attendAt()))) ? first : null;
	}

	/**
	 * Removes and returns the first schedule. The caller has to requeue it.
	 */
	PlannedSchedule take() {
		return this.queue.remove();
	}

	/**
	 * Requeues a schedule, unless it was replaced meanwhile.
	 */
	void requeue(PlannedSchedule planned) {
		if (this.schedules.get(planned.name()) == planned) {
			add(planned);
		}
	}

	private void add(PlannedSchedule planned) {
		if (planned.attendAt() != null) {
			this.queue.add(planned);
		}
	}

	/**
	 * Returns whether there are no schedules, not even paused ones.
	 */
	boolean isEmpty() {
		return this.schedules.isEmpty() && this.paused.isEmpty();
	}

	/**
	 * Returns a text with the names of the schedules, up to a limit.
	 */
	@Override
	public String toString() {
		return "This process fires " + count(this.schedules.keySet())
				+ (this.paused.isEmpty() ? "" : ". Paused: " + count(this.paused));
	}

	/**
	 * Returns a text with the number of some schedules and their names, up to a limit.
	 */
	static String count(Set<String> names) {
		return names.size() + " schedule(s)"
				+ names.stream()
					.sorted()
					.limit(NAMED)
					.collect(Collectors.joining(", ", " [", (names.size() > NAMED) ? ", ...]" : "]"));
	}

}
