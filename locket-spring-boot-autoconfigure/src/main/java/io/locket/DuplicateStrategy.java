package io.locket;

/**
 * What happens to a job that is enqueued while another one of its key is there. The names
 * come from Cloudtasker and sidekiq-unique-jobs.
 */
public enum DuplicateStrategy {

	/**
	 * The strategy of the queue, of {@code locket.job.on-duplicate}, or {@link #REJECT}.
	 */
	DEFAULT,

	/**
	 * The newcomer is not enqueued, and its caller is told which job is there.
	 */
	REJECT,

	/**
	 * The newcomer is not enqueued, and its caller gets a {@link DuplicateJobException}.
	 */
	RAISE,

	/**
	 * The job that waits keeps its id, queue and place, takes the arguments of the
	 * newcomer, and counts its attempts anew. A scheduled one takes the due time too,
	 * which makes a debounce, bounded by {@link UniqueJob#maxDelay()}. A job that has
	 * started is not replaced: the newcomer is rejected.
	 */
	REPLACE

}
