package io.locket.worker.consumer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Jobs that a consumer has taken and that have not been ended. No job is added after the
 * close. Thread-safe.
 */
final class TakenJobs {

	private final LongSupplier nanoTime;

	private final Set<DefaultConsumedJob> jobs = new LinkedHashSet<>();

	private boolean closed;

	TakenJobs(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a job.
	 * @return {@code false} if this is closed, so the job has to be returned
	 */
	synchronized boolean add(DefaultConsumedJob job) {
		return !this.closed && this.jobs.add(job);
	}

	/**
	 * Removes a job that was ended.
	 * @return whether this is closed, and no job is left
	 */
	synchronized boolean remove(DefaultConsumedJob job) {
		this.jobs.remove(job);
		notifyAll();
		return hasEnded();
	}

	synchronized List<DefaultConsumedJob> all() {
		return List.copyOf(this.jobs);
	}

	synchronized void close() {
		this.closed = true;
	}

	synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * Returns whether this is closed, and all jobs have been ended.
	 */
	synchronized boolean hasEnded() {
		return this.closed && this.jobs.isEmpty();
	}

	/**
	 * Waits until all jobs have been ended.
	 * @param deadline the end of the wait, by the monotonic clock
	 */
	synchronized void awaitEnds(long deadline) throws InterruptedException {
		long left = deadline - this.nanoTime.getAsLong();
		while (!this.jobs.isEmpty() && left > 0) {
			TimeUnit.NANOSECONDS.timedWait(this, left);
			left = deadline - this.nanoTime.getAsLong();
		}
	}

}
