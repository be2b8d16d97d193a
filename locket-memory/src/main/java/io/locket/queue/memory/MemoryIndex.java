package io.locket.queue.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.JobState;

/**
 * Indexes of the jobs of a {@link MemoryStore}, so that a step of a worker does not visit
 * all jobs. They are the sorted sets that the queue in Redis has. A job is filed under
 * its current values: {@link MemoryStore#change}.
 */
final class MemoryIndex {

	/**
	 * Order of the jobs of a queue.
	 */
	static final Comparator<MemoryJob> PLACES = Comparator.comparingLong((MemoryJob job) -> job.sequence)
		.thenComparing(MemoryJob::id);

	private static final Comparator<MemoryJob> DUE_TIMES = Comparator
		.comparingLong((MemoryJob job) -> Objects.requireNonNull(job.due))
		.thenComparing(MemoryJob::id);

	/**
	 * All jobs by queue and state.
	 */
	private final Groups<JobState> states = new Groups<>();

	/**
	 * Jobs that are set aside, by queue and name.
	 */
	private final Groups<String> aside = new Groups<>();

	/**
	 * Parked jobs by the digest of their key and by queue.
	 */
	private final Groups<String> parked = new Groups<>();

	/**
	 * Promoted jobs by the digest of their key and by queue.
	 */
	private final Groups<String> promoted = new Groups<>();

	/**
	 * Jobs that wait for their due time.
	 */
	private final NavigableSet<MemoryJob> timed;

	private final Function<Comparator<MemoryJob>, NavigableSet<MemoryJob>> sets;

	MemoryIndex() {
		this(TreeSet::new);
	}

	/**
	 * Creates an empty index.
	 * @param sets creates an empty set with an order
	 */
	MemoryIndex(Function<Comparator<MemoryJob>, NavigableSet<MemoryJob>> sets) {
		this.sets = sets;
		this.timed = sets.apply(DUE_TIMES);
	}

	/**
	 * Adds a job, unless the counters of its queue were deleted.
	 */
	void add(MemoryJob job) {
		if (job.uncounted) {
			return;
		}
		this.states.add(job.queue(), job.state, job);
		if (job.isTimed()) {
			this.timed.add(job);
		}
		if (job.aside) {
			this.aside.add(job.queue(), job.name(), job);
		}
		if (job.is(JobState.PARKED)) {
			this.parked.add(job.digest(), job.queue(), job);
		}
		if (job.promoted) {
			this.promoted.add(job.digest(), job.queue(), job);
		}
	}

	/**
	 * Removes a job, which has the same values as when it was added.
	 */
	void remove(MemoryJob job) {
		this.states.remove(job.queue(), job.state, job);
		if (job.isTimed()) {
			this.timed.remove(job);
		}
		this.aside.remove(job.queue(), job.name(), job);
		this.parked.remove(job.digest(), job.queue(), job);
		this.promoted.remove(job.digest(), job.queue(), job);
	}

	void clear() {
		Stream.of(this.states, this.aside, this.parked, this.promoted).forEach(Groups::clear);
		this.timed.clear();
	}

	/**
	 * Returns the jobs of a queue in the given state, ordered by their place.
	 */
	NavigableSet<MemoryJob> jobs(String queue, JobState state) {
		return states(queue).getOrDefault(state, Collections.emptyNavigableSet());
	}

	/**
	 * Returns the jobs of a queue by their state.
	 */
	Map<JobState, NavigableSet<MemoryJob>> states(String queue) {
		return this.states.get(queue);
	}

	/**
	 * Returns the running jobs of all queues.
	 */
	List<MemoryJob> running() {
		return this.states.groups.keySet().stream().flatMap((queue) -> jobs(queue, JobState.RUNNING).stream()).toList();
	}

	/**
	 * Returns the jobs that wait for their due time, in its order.
	 */
	NavigableSet<MemoryJob> timed() {
		return this.timed;
	}

	/**
	 * Returns the jobs of a queue that are set aside, by their names.
	 */
	Map<String, NavigableSet<MemoryJob>> aside(String queue) {
		return this.aside.get(queue);
	}

	/**
	 * Returns the digests of the keys for which jobs are parked.
	 */
	Set<String> parkedKeys() {
		return this.parked.groups.keySet();
	}

	/**
	 * Returns the promoted jobs of a key.
	 */
	List<MemoryJob> promoted(String digest) {
		return this.promoted.get(digest).values().stream().flatMap(Set::stream).toList();
	}

	/**
	 * Returns the first parked or promoted job of a key in each queue, in the order of
	 * the queues.
	 */
	Collection<MemoryJob> first(String digest) {
		Map<String, MemoryJob> first = new TreeMap<>();
		Stream.of(this.parked, this.promoted)
			.flatMap((jobs) -> jobs.get(digest).values().stream())
			.map(NavigableSet::first)
			.forEach((job) -> first.merge(job.queue(), job, BinaryOperator.minBy(PLACES)));
		return first.values();
	}

	/**
	 * Returns whether another index has the same jobs in the same places.
	 */
	boolean isSameAs(MemoryIndex other) {
		return this.states.groups.equals(other.states.groups) && this.aside.groups.equals(other.aside.groups)
				&& this.parked.groups.equals(other.parked.groups) && this.promoted.groups.equals(other.promoted.groups)
				&& this.timed.equals(other.timed);
	}

	/**
	 * Jobs in two levels of groups, ordered by their place in each group. No group is
	 * empty.
	 *
	 * @param <K> the type of the inner names
	 */
	private final class Groups<K extends Comparable<K>> {

		private final NavigableMap<String, NavigableMap<K, NavigableSet<MemoryJob>>> groups = new TreeMap<>();

		void add(String outer, K inner, MemoryJob job) {
			this.groups.computeIfAbsent(outer, (absent) -> new TreeMap<>())
				.computeIfAbsent(inner, (absent) -> MemoryIndex.this.sets.apply(PLACES))
				.add(job);
		}

		void remove(String outer, K inner, MemoryJob job) {
			this.groups.computeIfPresent(outer, (name, jobs) -> {
				jobs.computeIfPresent(inner, (same, group) -> (group.remove(job) && group.isEmpty()) ? null : group);
				return jobs.isEmpty() ? null : jobs;
			});
		}

		NavigableMap<K, NavigableSet<MemoryJob>> get(String outer) {
			return this.groups.getOrDefault(outer, Collections.emptyNavigableMap());
		}

		void clear() {
			this.groups.clear();
		}

	}

}
