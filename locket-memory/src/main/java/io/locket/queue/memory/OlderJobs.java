package io.locket.queue.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;

/**
 * Jobs for which a step frees their keys, in queues that its request does not name. A
 * younger job of the request does not take such a key in the same step.
 */
final class OlderJobs {

	private final MemoryStore store;

	private final Set<MemoryJob> promotedBefore = new HashSet<>();

	/**
	 * Times at which the jobs were enqueued, by the digests of their keys.
	 */
	private final Map<String, Long> enqueuedAt = new HashMap<>();

	OlderJobs(MemoryStore store) {
		this.store = store;
	}

	/**
	 * Begins a step that ends runs.
	 */
	void begin(List<RunEnd> ends) {
		clear();
		digests(ends, (job) -> true).forEach((digest) -> this.promotedBefore.addAll(this.store.index.promoted(digest)));
	}

	/**
	 * Finds the jobs that the end of successful runs has promoted.
	 */
	void find(List<RunEnd> ends, ReservationRequest request) {
		Set<String> requested = request.queues().stream().map(QueueLimit::queue).collect(Collectors.toSet());
		digests(ends, (job) -> job.is(JobState.SUCCEEDED))
			.flatMap((digest) -> this.store.index.promoted(digest).stream())
			.filter((job) -> !this.promotedBefore.contains(job) && !requested.contains(job.queue())
					&& !this.store.isPaused(job.queue()))
			.forEach((job) -> this.enqueuedAt.merge(job.digest(), job.enqueuedAt, Math::min));
	}

	private Stream<String> digests(List<RunEnd> ends, Predicate<MemoryJob> predicate) {
		return ends.stream()
			.flatMap((end) -> Stream.ofNullable(this.store.jobs.get(end.id())))
			.filter(predicate)
			.map(MemoryJob::digest)
			.distinct();
	}

	/**
	 * Returns whether a job leaves its key, which is free, to an older job.
	 */
	boolean isBefore(MemoryJob job) {
		Long older = this.enqueuedAt.get(job.digest());
		return older != null && older < job.enqueuedAt;
	}

	/**
	 * Ends the step.
	 */
	void clear() {
		this.promotedBefore.clear();
		this.enqueuedAt.clear();
	}

}
