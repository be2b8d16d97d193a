package io.locket.schedule;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The schedules of a group that fire, in the order in which they want to be attended to.
 * Not thread-safe.
 */
final class ScheduleAgenda {

	private static final int NAMED = 20;

	private final String group;

	private final Map<String, PlannedSchedule> schedules = new HashMap<>();

	private final PriorityQueue<PlannedSchedule> queue = new PriorityQueue<>(Comparator
		.comparing((PlannedSchedule planned) -> Objects.requireNonNull(planned.attendAt(), "It is in no queue"))
		.thenComparing(PlannedSchedule::name));

	ScheduleAgenda(String group) {
		this.group = group;
	}

	/**
	 * Go by what the store says. What it says in the same revision goes on as it was.
	 * @param book all schedules
	 */
	void replace(ScheduleBook book) {
		Map<String, PlannedSchedule> before = new HashMap<>(this.schedules);
		forget();
		for (StoredSchedule schedule : book.schedules()) {
			if (isFiring(schedule)) {
				PlannedSchedule known = before.get(schedule.name());
				boolean same = known != null && known.schedule().revision() == schedule.revision();
				PlannedSchedule planned = (known != null && same) ? known : new PlannedSchedule(schedule);
				this.schedules.put(planned.name(), planned);
				add(planned);
			}
		}
	}

	private boolean isFiring(StoredSchedule schedule) {
		ScheduleDefinition definition = schedule.definition();
		return definition.group().equals(this.group) && definition.enabled() && !schedule.paused();
	}

	/**
	 * Forget everything.
	 */
	void forget() {
		this.schedules.clear();
		this.queue.clear();
	}

	/**
	 * Return when a schedule wants to be attended to first, or {@code null} for never.
	 */
	@Nullable Instant first() {
		PlannedSchedule first = this.queue.peek();
		return (first != null) ? first.attendAt() : null;
	}

	/**
	 * Return the first schedule that wants to be attended to at a time, without taking it
	 * out.
	 */
	@Nullable PlannedSchedule peek(Instant now) {
		PlannedSchedule first = this.queue.peek();
		return (first != null && !now.isBefore(Objects.requireNonNull(first.attendAt()))) ? first : null;
	}

	/**
	 * Take the first schedule out. Whoever does puts it back.
	 */
	PlannedSchedule take() {
		return this.queue.remove();
	}

	/**
	 * Put a schedule back, unless the agenda has gone on without it.
	 */
	void putBack(PlannedSchedule planned) {
		if (this.schedules.get(planned.name()) == planned) {
			add(planned);
		}
	}

	private void add(PlannedSchedule planned) {
		if (planned.attendAt() != null) {
			this.queue.add(planned);
		}
	}

	boolean isEmpty() {
		return this.schedules.isEmpty();
	}

	/**
	 * Names the schedules, if they are not too many.
	 */
	@Override
	public String toString() {
		int size = this.schedules.size();
		return "This process fires " + size + " schedule(s)"
				+ this.schedules.keySet()
					.stream()
					.sorted()
					.limit(NAMED)
					.collect(Collectors.joining(", ", " [", (size > NAMED) ? ", ...]" : "]"));
	}

}
