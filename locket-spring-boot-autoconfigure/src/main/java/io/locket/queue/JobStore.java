package io.locket.queue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.locket.JobKey;

/**
 * The queues of a namespace, for those who look at them and steer them: the port below
 * {@code JobAdministration}, which finds and steers many jobs. Every method is one atomic
 * step, or, where it says so, a sequence of them. Tells of what happens as
 * {@link io.locket.event.JobEvent}s. Thread-safe.
 * <p>
 * Every method throws a {@link QueueUnavailableException} if the store gives no answer.
 */
public interface JobStore {

	/**
	 * Look a job up.
	 * @param id the id of the job
	 * @return the job, or empty if it is not known, or no longer
	 */
	Optional<JobRecord> find(String id);

	/**
	 * List jobs, a page at a time. Looks at no more than a thousand of them, so that a
	 * page may be empty and not the last one. A job that changes its place between two
	 * pages may be on both or on none; one that stays where it is is on one. A job that
	 * runs all the time is on one at least, however often it is renewed.
	 * @param listing what to list
	 * @return the page
	 * @throws IllegalArgumentException if the cursor is none
	 */
	JobPage list(JobListing listing);

	/**
	 * List the times at which scheduled jobs of a queue are due, without those that wait
	 * for a retry. Costs the same however many jobs are due at each.
	 * @param listing what to list
	 * @return the times, the earliest first; fewer than asked for if there are no more
	 */
	List<DueTime> dueTimes(DueTimeListing listing);

	/**
	 * Steer some jobs. Each is steered only if it still is what the caller has seen.
	 * @param action what to do with them
	 * @param jobs at most 100 jobs, each once
	 * @return what became of each, in their order
	 */
	List<SteerResult> steer(SteerAction action, List<JobSighting> jobs);

	/**
	 * Put dead letters back. Each is enqueued with the arguments, the key and the
	 * strategies that it had, into the queue in which it died, with no attempt used. A
	 * duplicate is answered as with {@code REJECT}, and the letter stays; otherwise it is
	 * one no longer, and is kept with what has ended. A claim of the letter's own does
	 * not refuse it, and is the new job's for the rest of its time.
	 * @param letters at most 100 letters; one that is none, or not any more, is answered
	 * as a {@link EnqueueResult.Duplicate} of what it was put back as, or of itself
	 * @return what became of each, in their order
	 */
	List<EnqueueResult> putBack(List<PutBack> letters);

	/**
	 * Find out who keeps a key from others: the job that has its ticket, runs with its
	 * lease, or is the first that is parked for it, or else who claims or leases it.
	 * Takes and frees nothing.
	 * @param key the key
	 * @return who is there, or empty if nobody is
	 */
	Optional<KeyOccupant> occupant(JobKey key);

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
	 * Look at all queues at one instant. Costs one call, which looks at two jobs of each
	 * queue at most, however many wait.
	 * @return the first {@value StoreOverview#MAX_QUEUES} queues by name
	 */
	StoreOverview overview();

	/**
	 * Look for the processes that take jobs: those that have asked for jobs within the
	 * last hour, and those that run one. Takes several steps, of which each looks at some
	 * hundreds of threads or jobs. Looks at no more than about
	 * {@value WorkerSighting#MAX_RUNNING} jobs that run, in no order: what runs beyond
	 * that is not counted.
	 * @return the processes, in the order of their names
	 */
	List<WorkerSighting> workers();

	/**
	 * Cancel a job: one that waits ends, one that runs is flagged.
	 * @param id the id of the job
	 * @return what became of it
	 */
	default CancelResult cancel(String id) {
		SteerAction cancel = new SteerAction(SteerAction.Kind.CANCEL, null, UUID.randomUUID().toString());
		return switch (steer(cancel, List.of(JobSighting.of(id))).get(0)) {
			case DONE -> CancelResult.CANCELLED;
			case FLAGGED -> CancelResult.FLAGGED;
			case REFUSED -> CancelResult.ENDED;
			case UNKNOWN -> CancelResult.UNKNOWN;
		};
	}

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
	 * those that run now when their runs end. What is enqueued from now on stays. A queue
	 * that holds no job that waits or runs and no dead letter then, and is not paused, is
	 * left out of {@link #overview()} until it holds something again.
	 * @param queue the queue
	 * @return how many jobs that waited were removed
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	long remove(String queue);

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

}
