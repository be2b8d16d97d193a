package io.locket;

/**
 * Strategy for a job that is enqueued while another job with its key exists. The names
 * come from Cloudtasker and sidekiq-unique-jobs.
 */
public enum DuplicateStrategy {

	/**
	 * The strategy of the queue, of {@code locket.job.on-duplicate}, or {@link #REJECT}.
	 */
	DEFAULT,

	/**
	 * The new job is not enqueued. The result names the existing job.
	 */
	REJECT,

	/**
	 * The new job is not enqueued. The caller receives a {@link DuplicateJobException}.
	 */
	RAISE,

	/**
	 * The waiting job keeps its id, queue and place. It takes the arguments of the new
	 * one and its attempts restart.
	 * <p>
	 * A scheduled job takes the due time too. This makes a debounce, bounded by
	 * {@link UniqueJob#maxDelay()}; its {@link UniqueJob#uniqueFor()} counts from the new
	 * due time. A job that waits for a retry becomes due as the new one would, but never
	 * later than it was. A job that has started is not replaced: the new one is rejected.
	 */
	REPLACE

}
