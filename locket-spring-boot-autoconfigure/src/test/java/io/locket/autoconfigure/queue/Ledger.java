package io.locket.autoconfigure.queue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobState;
import io.locket.queue.spi.JobStore;

/**
 * Records of what producers were told and of what bodies did. Thread-safe.
 */
final class Ledger {

	/**
	 * Ids of the jobs that were accepted.
	 */
	final Set<String> accepted = ConcurrentHashMap.newKeySet();

	/**
	 * Ids of the jobs that have started.
	 */
	final Set<String> ran = ConcurrentHashMap.newKeySet();

	/**
	 * Number of runs that began while another run of their key had not ended.
	 */
	final AtomicInteger overlaps = new AtomicInteger();

	/**
	 * Number of leases that were reported as lost.
	 */
	final AtomicInteger lost = new AtomicInteger();

	/**
	 * Number of calls that failed because Redis was not available.
	 */
	final AtomicInteger refusals = new AtomicInteger();

	/**
	 * Number of direct calls that have run.
	 */
	final AtomicInteger directCalls = new AtomicInteger();

	private final Set<String> running = ConcurrentHashMap.newKeySet();

	void begin(String key) {
		if (!this.running.add(key)) {
			this.overlaps.incrementAndGet();
		}
	}

	void end(String key) {
		this.running.remove(key);
	}

	/**
	 * Returns the number of jobs that have ended, superseded jobs included. A job whose
	 * first attempt failed is superseded if a job with the same key waits by then.
	 */
	static long ended(JobStore store) {
		return store.queues()
			.stream()
			.map(store::counts)
			.mapToLong((counts) -> counts.in(JobState.SUCCEEDED) + counts.in(JobState.SUPERSEDED))
			.sum();
	}

}
