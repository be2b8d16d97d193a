package io.locket.queue.memory;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.queue.DueTime;
import io.locket.queue.spi.DueTimeQuery;

/**
 * Listing of the due times of a queue of the {@link InMemoryJobQueue}.
 */
final class MemoryDueTimes {

	private final MemoryStore store;

	private final DueTimeQuery listing;

	MemoryDueTimes(MemoryStore store, DueTimeQuery listing) {
		this.store = store;
		this.listing = listing;
	}

	List<DueTime> times() {
		Instant from = this.listing.from();
		Map<Instant, Long> times = this.store.jobs.values()
			.stream()
			.filter((job) -> job.is(JobState.SCHEDULED) && job.queue().equals(this.listing.queue()))
			.map((job) -> Instant.ofEpochMilli(Objects.requireNonNull(job.due)))
			.collect(Collectors.groupingBy((time) -> time, TreeMap::new, Collectors.counting()));
		return times.entrySet()
			.stream()
			.filter((time) -> from == null || !time.getKey().isBefore(from))
			.limit(this.listing.limit())
			.map((time) -> new DueTime(time.getKey(), time.getValue()))
			.toList();
	}

}
