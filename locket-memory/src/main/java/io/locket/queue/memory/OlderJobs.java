package io.locket.queue.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
	void begin() {
		clear();
		this.store.jobs.values().stream().filter((job) -> job.promoted).forEach(this.promotedBefore::add);
	}

	/**
	 * Finds the jobs that the end of successful runs has promoted.
	 */
	void find(List<RunEnd> ends, ReservationRequest request) {
		Set<String> requested = request.queues().stream().map(QueueLimit::queue).collect(Collectors.toSet());
		Set<String> freed = new HashSet<>();
		for (RunEnd end : ends) {
			MemoryJob job = this.store.jobs.get(end.id());
			if (job != null && job.is(JobState.SUCCEEDED)) {
				freed.add(job.digest());
			}
		}
		this.store.jobs.values()
			.stream()
			.filter((job) -> job.promoted && !this.promotedBefore.contains(job) && freed.contains(job.digest())
					&& !requested.contains(job.queue()) && !this.store.isPaused(job.queue()))
			.forEach((job) -> this.enqueuedAt.merge(job.digest(), job.enqueuedAt, Math::min));
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
