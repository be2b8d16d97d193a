package io.locket.queue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The queues of a namespace, for those who put jobs in and those who run them. Every
 * method is one atomic step, or, where it says so, a sequence of them; each is answered
 * alike when it is repeated with the same ids. Tells of what happens as
 * {@link io.locket.event.JobEvent}s. Thread-safe.
 * <p>
 * Every method throws a {@link QueueUnavailableException} if the store gives no answer.
 */
public interface JobQueue {

	/**
	 * Enqueue a job.
	 * @param job the job
	 * @return what became of it; with {@code RAISE} a duplicate is answered as such here
	 */
	default EnqueueResult enqueue(NewJob job) {
		return enqueue(List.of(job)).get(0);
	}

	/**
	 * Enqueue many jobs, a step for each 100. A failure leaves those enqueued that were
	 * enqueued before it.
	 * @param jobs the jobs
	 * @return a result for each, in their order
	 */
	List<EnqueueResult> enqueue(List<NewJob> jobs);

	/**
	 * Take jobs to run. Serves first, within a bound and for all queues, what is due: due
	 * times, run leases that have expired, keys to be looked at.
	 * @param request who takes, and from where
	 * @return the jobs, with their leases taken
	 */
	Reservation reserve(ReservationRequest request);

	/**
	 * End some runs, and take the next jobs in the same step.
	 * @param ends how the runs ended
	 * @param next asks for the next jobs, or {@code null} for none
	 * @return what became of the ends, and the next jobs
	 */
	Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next);

	/**
	 * Renew the leases of some runs.
	 * @param runs at most 100 runs
	 * @return an answer for each, in their order
	 */
	List<RunRenewal> renew(List<RunToken> runs);

	/**
	 * Store how far some runs are. What a run tells that has its job no longer changes
	 * nothing.
	 * @param runs at most 100 runs, each once
	 */
	void progress(List<RunProgress> runs);

	/**
	 * Listen for work that comes to the queues, until the answer is closed. Messages may
	 * be lost: who listens has to look from time to time all the same.
	 * @param listener is told, on a thread that it must not block
	 * @return ends it
	 */
	Listening listen(WorkListener listener);

	/**
	 * A {@link WorkListener} that is being told.
	 */
	interface Listening extends AutoCloseable {

		@Override
		void close();

	}

}
