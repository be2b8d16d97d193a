package io.locket.queue;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The queues of a namespace. Every method is one atomic step, or, where it says so, a
 * sequence of them; each is answered alike when it is repeated with the same ids. Tells
 * of what happens as {@link io.locket.event.JobEvent}s. Thread-safe.
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
	 * Cancel a job: one that waits ends, one that runs is flagged.
	 * @param id the id of the job
	 * @return what became of it
	 */
	CancelResult cancel(String id);

	/**
	 * Hand out no more jobs of a queue. Enqueuing goes on. A queue that has no job yet
	 * can be paused, too.
	 * @param queue the queue
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	void pause(String queue);

	/**
	 * End a pause.
	 * @param queue the queue
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	void resume(String queue);

	/**
	 * Remove what waits in a queue, in steps of 100 jobs: each ends as removed, and so do
	 * those that run now when their runs end. What is enqueued from now on stays.
	 * @param queue the queue
	 * @return how many jobs that waited were removed
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	long remove(String queue);

	/**
	 * Listen for work that comes to the queues, until the answer is closed. Messages may
	 * be lost: who listens has to look from time to time all the same.
	 * @param listener is told, on a thread that it must not block
	 * @return ends it
	 */
	Listening listen(WorkListener listener);

	/**
	 * Look a job up.
	 * @param id the id of the job
	 * @return the job, or empty if it is not known, or no longer
	 */
	Optional<JobRecord> find(String id);

	/**
	 * Return the queues that have ever had a job or a setting.
	 * @return their names, in order
	 */
	Set<String> queues();

	/**
	 * Return the counters of a queue.
	 * @param queue the queue
	 * @return the counters, zero for one that is not known
	 */
	QueueCounts counts(String queue);

	/**
	 * Check the invariants of everything that is stored, in steps that each look at a
	 * hundred jobs. May run beside the work.
	 * @return what contradicts them, empty if nothing does
	 */
	List<Violation> verify();

	/**
	 * Check as {@link #verify()} does, and mend what can be mended.
	 * @return what contradicts the invariants, and whether it was mended
	 */
	List<Violation> repair();

	/**
	 * A {@link WorkListener} that is being told.
	 */
	interface Listening extends AutoCloseable {

		@Override
		void close();

	}

}
