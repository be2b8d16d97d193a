package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueThroughput;
import io.locket.queue.ThroughputSample;
import org.jspecify.annotations.Nullable;

/**
 * Counts per minute of the {@link InMemoryJobQueue}.
 */
final class MemoryMinutes {

	private static final long MINUTE = Duration.ofMinutes(1).toMillis();

	private final MemoryStore store;

	private final MemoryViews views;

	private final Deque<ThroughputSample> samples = new ArrayDeque<>();

	/**
	 * Counters at the last sample. A queue that was deleted and is new again has another
	 * state.
	 */
	private Map<MemoryStore.QueueState, QueueThroughput> last = Map.of();

	private @Nullable Long lastAt;

	MemoryMinutes(MemoryStore store, MemoryViews views) {
		this.store = store;
		this.views = views;
	}

	/**
	 * Stores the counts of a minute once.
	 * @return the time until the next minute begins
	 */
	Duration count() {
		long now = this.store.now;
		Long before = this.lastAt;
		if (before == null) {
			this.last = totals();
			this.lastAt = now;
		}
		else if (now - before <= -MINUTE) {
			this.lastAt = now;
			this.samples.removeIf((sample) -> sample.to().toEpochMilli() > now);
		}
		else if (before <= now && before / MINUTE != now / MINUTE) {
			Map<MemoryStore.QueueState, QueueThroughput> current = totals();
			add(new ThroughputSample(Instant.ofEpochMilli(before), Instant.ofEpochMilli(now), grown(current)));
			this.last = current;
			this.lastAt = now;
		}
		return Duration.ofMillis(MINUTE - now % MINUTE);
	}

	private void add(ThroughputSample sample) {
		this.samples.addLast(sample);
		if (this.samples.size() > ThroughputSample.KEPT_MINUTES) {
			this.samples.removeFirst();
		}
	}

	List<ThroughputSample> samples(int minutes) {
		ThroughputSample.requireMinutes(minutes);
		Instant now = Instant.ofEpochMilli(this.store.now);
		return this.samples.stream().filter((sample) -> sample.isWithin(now, minutes)).toList();
	}

	void clear() {
		this.samples.clear();
		this.last = Map.of();
		this.lastAt = null;
	}

	private Map<MemoryStore.QueueState, QueueThroughput> totals() {
		Map<MemoryStore.QueueState, QueueThroughput> totals = new IdentityHashMap<>();
		this.store.queues.values().forEach((queue) -> totals.put(queue, total(queue)));
		return totals;
	}

	private QueueThroughput total(MemoryStore.QueueState queue) {
		QueueCounts counts = this.views.counts(queue.name);
		return new QueueThroughput(queue.name, counts.accepted(), counts.in(JobState.SUCCEEDED), queue.failedAttempts,
				counts.in(JobState.DEAD), counts.in(JobState.DISCARDED), counts.in(JobState.SUPERSEDED),
				counts.in(JobState.CANCELLED), counts.in(JobState.REMOVED));
	}

	/**
	 * Returns the queues whose counters have grown, those with the most first.
	 */
	private List<QueueThroughput> grown(Map<MemoryStore.QueueState, QueueThroughput> current) {
		List<QueueThroughput> grown = current.entrySet()
			.stream()
			.map((queue) -> since(queue.getValue(), this.last.get(queue.getKey())))
			.filter((queue) -> queue.sum() > 0)
			.sorted(Comparator.comparingLong(QueueThroughput::sum).reversed().thenComparing(QueueThroughput::queue))
			.toList();
		if (grown.size() <= ThroughputSample.MAX_QUEUES) {
			return grown;
		}
		List<QueueThroughput> bounded = new ArrayList<>(grown.subList(0, ThroughputSample.MAX_QUEUES));
		bounded.add(grown.stream()
			.skip(ThroughputSample.MAX_QUEUES)
			.reduce(new QueueThroughput("", 0, 0, 0, 0, 0, 0, 0, 0), QueueThroughput::plus));
		return bounded;
	}

	private static QueueThroughput since(QueueThroughput queue, @Nullable QueueThroughput before) {
		if (before == null) {
			return queue;
		}
		return new QueueThroughput(queue.queue(), Math.max(0, queue.accepted() - before.accepted()),
				Math.max(0, queue.succeeded() - before.succeeded()),
				Math.max(0, queue.failedAttempts() - before.failedAttempts()),
				Math.max(0, queue.dead() - before.dead()), Math.max(0, queue.discarded() - before.discarded()),
				Math.max(0, queue.superseded() - before.superseded()),
				Math.max(0, queue.cancelled() - before.cancelled()), Math.max(0, queue.removed() - before.removed()));
	}

}
