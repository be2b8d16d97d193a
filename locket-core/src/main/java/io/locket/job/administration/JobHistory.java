package io.locket.job.administration;

import java.util.List;
import java.util.Objects;

import io.locket.queue.FailedAttempt;
import io.locket.queue.ThroughputSample;
import io.locket.queue.spi.JobStore;

/**
 * View of what has happened to jobs. Thread-safe.
 */
public final class JobHistory {

	private final JobStore store;

	JobHistory(JobStore store) {
		this.store = store;
	}

	/**
	 * Returns the failed attempts of a job that are kept
	 * ({@code locket.history.attempts}).
	 * @param id the id of the job
	 * @return the attempts, the latest first; none for an unknown job
	 */
	public List<FailedAttempt> attempts(String id) {
		return this.store.attempts(Objects.requireNonNull(id, "'id' must not be null"));
	}

	/**
	 * Returns how much the counters of the queues have grown in each of the last minutes.
	 * Workers store these numbers once a minute. A minute in which no worker was running
	 * is part of the next sample.
	 * @param minutes the number of minutes, from 1 to
	 * {@value ThroughputSample#KEPT_MINUTES}
	 * @return the samples, the earliest first
	 * @throws IllegalArgumentException if the number is out of range
	 */
	public List<ThroughputSample> throughput(int minutes) {
		return this.store.throughput(minutes);
	}

}
