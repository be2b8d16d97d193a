package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.DueTime;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.DueTimeQuery;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.JobStore.PollRequest;

/**
 * Overview, due times and workers of the {@link InMemoryJobQueue}.
 */
final class MemoryViews {

	private static final Duration POLLER_KNOWN = Duration.ofHours(1);

	private final MemoryStore store;

	MemoryViews(MemoryStore store) {
		this.store = store;
	}

	QueueCounts counts(String queue) {
		MemoryStore.QueueState state = this.store.queues.getOrDefault(queue, new MemoryStore.QueueState(queue));
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		this.store.index.states(queue).forEach((one, jobs) -> states.put(one, (long) jobs.size()));
		long letters = this.store.index.jobs(queue, JobState.DEAD).stream().filter(MemoryJob::isLetter).count();
		return new QueueCounts(queue, state.paused, state.accepted, state.movedIn, state.movedOut, states, letters, 0,
				0);
	}

	StoreOverview overview() {
		return new StoreOverview(Instant.ofEpochMilli(this.store.now),
				this.store.queues.values()
					.stream()
					.filter((listed) -> !listed.unlisted)
					.limit(StoreOverview.MAX_QUEUES)
					.map((listed) -> overview(listed.name))
					.toList());
	}

	private QueueOverview overview(String queue) {
		OptionalLong since = LongStream.concat(firstInPlace(queue), due(queue)).min();
		return new QueueOverview(counts(queue),
				since.isPresent() ? Duration.ofMillis(Math.max(0, this.store.now - since.getAsLong())) : null);
	}

	/**
	 * Returns the times since which the first ready job and the first parked job wait.
	 */
	private LongStream firstInPlace(String queue) {
		return Stream.of(JobState.READY, JobState.PARKED)
			.flatMap((state) -> this.store.index.jobs(queue, state).stream().limit(1))
			.mapToLong(MemoryJob::dueSince);
	}

	/**
	 * Returns the due times of jobs that are due but not ready yet.
	 */
	private LongStream due(String queue) {
		return this.store.index.timed()
			.stream()
			.filter((job) -> job.queue().equals(queue))
			.mapToLong((job) -> Objects.requireNonNull(job.due))
			.takeWhile((due) -> due <= this.store.now);
	}

	/**
	 * Returns the due times of the scheduled jobs of a queue.
	 */
	List<DueTime> dueTimes(DueTimeQuery listing) {
		Instant from = listing.from();
		Map<Instant, Long> times = this.store.index.jobs(listing.queue(), JobState.SCHEDULED)
			.stream()
			.map((job) -> Instant.ofEpochMilli(Objects.requireNonNull(job.due)))
			.collect(Collectors.groupingBy((time) -> time, TreeMap::new, Collectors.counting()));
		return times.entrySet()
			.stream()
			.filter((time) -> from == null || !time.getKey().isBefore(from))
			.limit(listing.limit())
			.map((time) -> new DueTime(time.getKey(), time.getValue()))
			.toList();
	}

	List<WorkerInfo> workers() {
		Instant now = Instant.ofEpochMilli(this.store.now);
		List<MemoryStore.LastRequest> pollers = this.store.requests.values()
			.stream()
			.filter((request) -> Duration.between(request.time(), now).abs().compareTo(POLLER_KNOWN) < 0)
			.toList();
		List<MemoryJob> runs = this.store.index.running().stream().limit(WorkerInfo.MAX_RUNNING).toList();
		Set<String> instances = new TreeSet<>();
		pollers.forEach((poller) -> instances.add(poller.instance()));
		runs.forEach((job) -> instances.add(Objects.requireNonNull(job.instance)));
		return instances.stream()
			.map((instance) -> expected(instance,
					pollers.stream().filter((poller) -> poller.instance().equals(instance)).toList(),
					runs.stream().filter((job) -> instance.equals(job.instance)).toList()))
			.toList();
	}

	Optional<PollRequest> requestPolls(Instant oldest) {
		Instant now = Instant.ofEpochMilli(this.store.now);
		Instant before = this.store.pollsRequestedAt;
		Instant since = now.minusSeconds(JobStore.SEEN_FOR_SECONDS);
		if (oldest.isAfter(since) || (before.isAfter(since) && !before.isAfter(now))) {
			return Optional.empty();
		}
		this.store.pollsRequestedAt = now;
		return Optional.of(new PollRequest(now, before));
	}

	private Instant lastLeased(MemoryJob job) {
		return Instant.ofEpochMilli(Math.min(this.store.now, Objects.requireNonNull(job.run).deadline));
	}

	private WorkerInfo expected(String instance, List<MemoryStore.LastRequest> pollers, List<MemoryJob> runs) {
		Stream<Instant> times = Stream.concat(pollers.stream().map(MemoryStore.LastRequest::time),
				runs.stream().map(this::lastLeased));
		return new WorkerInfo(instance, times.max(Instant::compareTo).orElseThrow(), pollers.size(), runs.size(),
				this.store.quiet.contains(instance));
	}

}
