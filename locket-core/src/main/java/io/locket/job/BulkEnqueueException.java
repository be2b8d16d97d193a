package io.locket.job;

import java.util.List;

import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;

/**
 * Exception thrown when the store does not reply while jobs are enqueued in steps. It
 * holds the results of the steps before. {@link Jobs#enqueueAll} may be called again with
 * the remaining requests: they keep the ids of this call, so none of their jobs is
 * enqueued twice as long as its id is known. The id of a request that has replaced a job
 * is known for ten minutes. After that, a repetition replaces the waiting job again, or
 * enqueues a new one.
 */
public class BulkEnqueueException extends QueueUnavailableException {

	private final transient List<EnqueueResult> results;

	private final transient List<JobRequest> remaining;

	/**
	 * Creates an exception.
	 * @param results the results of the requests with a reply, in their order
	 * @param remaining the other requests, in their order, with their ids
	 * @param cause the failure of the store
	 */
	public BulkEnqueueException(List<EnqueueResult> results, List<JobRequest> remaining,
			QueueUnavailableException cause) {
		super(results.size() + " of " + (results.size() + remaining.size()) + " jobs have a result. Up to "
				+ JobBatch.STEP
				+ " of the others may be enqueued: repeat the call with the requests of getRemaining(), which keep their ids",
				cause);
		this.results = List.copyOf(results);
		this.remaining = List.copyOf(remaining);
	}

	/**
	 * Returns the results of the requests with a reply.
	 * @return the results in the order of their requests. These are the first requests of
	 * the call, unless only some of its requests wait for a transaction
	 */
	public List<EnqueueResult> getResults() {
		return this.results;
	}

	/**
	 * Returns the requests without a result. Those of one step may be enqueued, the
	 * others are not.
	 * @return the requests in their order, with their ids
	 */
	public List<JobRequest> getRemaining() {
		return this.remaining;
	}

}
