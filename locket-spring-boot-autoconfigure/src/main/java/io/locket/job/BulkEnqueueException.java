package io.locket.job;

import java.util.List;

import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;

/**
 * The store gave no answer while jobs were enqueued in steps. Tells what was enqueued
 * before. {@link Jobs#enqueueAll} may be called with the remaining requests, which have
 * got the ids of this call: none of their jobs is enqueued twice.
 */
public class BulkEnqueueException extends QueueUnavailableException {

	private final transient List<EnqueueResult> results;

	private final transient List<JobRequest> remaining;

	/**
	 * Create an exception.
	 * @param results what became of those that were answered, in their order
	 * @param remaining the others, in their order, with the ids that they have
	 * @param cause the failure of the store
	 */
	public BulkEnqueueException(List<EnqueueResult> results, List<JobRequest> remaining,
			QueueUnavailableException cause) {
		super(results.size() + " of " + (results.size() + remaining.size()) + " jobs were answered for. Up to "
				+ JobBatch.STEP
				+ " of the others may be enqueued: repeat the call with those of getRemaining(), which keep their ids",
				cause);
		this.results = List.copyOf(results);
		this.remaining = List.copyOf(remaining);
	}

	/**
	 * Return what became of the requests that were answered.
	 * @return the results in the order of their requests: those of the first ones, unless
	 * some of the call wait for a transaction and others do not
	 */
	public List<EnqueueResult> getResults() {
		return this.results;
	}

	/**
	 * Return the requests that were not answered. Those of one step may be enqueued, the
	 * others are not.
	 * @return the requests in their order, with the ids that they have
	 */
	public List<JobRequest> getRemaining() {
		return this.remaining;
	}

}
