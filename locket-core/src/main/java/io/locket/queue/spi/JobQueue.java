package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;

import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Port to the queues of a namespace for producers and workers. Every method is one atomic
 * step, or a sequence of atomic steps where stated. A repetition with the same ids
 * returns the same result. Implementations publish {@link io.locket.event.JobEvent}s.
 * Thread-safe.
 * <p>
 * Every method throws a {@link QueueUnavailableException} if the store does not reply.
 */
public interface JobQueue {

	/**
	 * Enqueues a job.
	 * @param job the job
	 * @return the result; a duplicate is returned as such here, even with {@code RAISE}
	 */
	default EnqueueResult enqueue(NewJob job) {
		return enqueue(List.of(job)).get(0);
	}

	/**
	 * Enqueues many jobs in steps of 100. After a failure, the jobs of earlier steps
	 * remain enqueued.
	 * @param jobs the jobs
	 * @return a result for each, in their order
	 */
	List<EnqueueResult> enqueue(List<NewJob> jobs);

	/**
	 * Reserves jobs to run. First processes due work of all queues, up to a bound: due
	 * times, expired run leases and keys to be checked.
	 * @param request the caller and the queues
	 * @return the jobs, with their leases taken
	 */
	Reservation reserve(ReservationRequest request);

	/**
	 * Ends some runs and reserves the next jobs in the same step.
	 * @param ends the ends of the runs
	 * @param next the request for the next jobs, or {@code null} for none
	 * @return the results of the ends, and the next jobs
	 */
	Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next);

	/**
	 * Renews the leases of some runs.
	 * @param runs at most 100 runs
	 * @return a result for each, in their order
	 * @throws RunsRefusedException if the queue may renew each run alone
	 */
	List<RunRenewal> renew(List<RunToken> runs);

	/**
	 * Stores the progress of some runs. The progress of a run that no longer has its job
	 * is ignored.
	 * @param runs at most 100 runs, each once
	 */
	void progress(List<RunProgress> runs);

	/**
	 * Stores how much the counters of all queues have grown, unless this or another
	 * process has already done so in the current minute.
	 * @return the time until the next minute begins, by the clock of the store
	 */
	Duration countMinute();

	/**
	 * Returns whether the workers of a process are to be quiet, and keeps their mark.
	 * <ul>
	 * <li>A mark of quiet workers is stored for another hour. The store deletes the mark
	 * of a process that does not call this for an hour, because it counts as ended.</li>
	 * <li>If the workers are quiet and have no mark, the mark is set again. Workers that
	 * an operator has resumed within the last day get none.</li>
	 * </ul>
	 * @param instance the process
	 * @param quiet whether its workers are quiet now
	 * @return whether its workers are to take no new jobs
	 */
	boolean refreshQuiet(String instance, boolean quiet);

	/**
	 * Listens for new work in the queues, until the returned handle is closed. Messages
	 * may be lost, so callers have to poll as well.
	 * @param listener the listener, called on a thread that it must not block
	 * @return a handle that ends the subscription
	 */
	Listening listen(WorkListener listener);

	/**
	 * Subscription of a {@link WorkListener}.
	 */
	interface Listening extends AutoCloseable {

		@Override
		void close();

	}

}
