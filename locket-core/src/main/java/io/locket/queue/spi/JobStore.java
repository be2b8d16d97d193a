package io.locket.queue.spi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.locket.JobKey;
import io.locket.queue.CancelResult;
import io.locket.queue.DueTime;
import io.locket.queue.EnqueueResult;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;

/**
 * Port to the queues of a namespace for administration. {@code JobAdministration} builds
 * bulk actions on it. Every method is one atomic step, or a sequence of atomic steps
 * where stated. Implementations publish {@link io.locket.event.JobEvent}s. Thread-safe.
 * <p>
 * Every method throws a {@link QueueUnavailableException} if the store does not reply.
 */
public interface JobStore {

	/**
	 * Time for which a process that was seen counts as alive, in seconds.
	 */
	int SEEN_FOR_SECONDS = 30;

	/**
	 * Returns a job.
	 * @param id the id of the job
	 * @return the job, or empty if it is not, or no longer, known
	 */
	Optional<JobRecord> find(String id);

	/**
	 * Returns the failed attempts of a job that are kept. They are deleted with the
	 * record of the job, and when its arguments are replaced.
	 * @param id the id of the job
	 * @return the attempts, the latest first; none for an unknown job
	 */
	List<FailedAttempt> attempts(String id);

	/**
	 * Lists jobs, one page at a time. A call examines at most five hundred jobs, so a
	 * page that is not the last one may be empty. A job that changes its place between
	 * two pages may be on both or on neither. A job that keeps its place is on exactly
	 * one. A job that runs all the time is on at least one, however often its leases are
	 * renewed.
	 * @param listing the query
	 * @return the page
	 * @throws IllegalArgumentException if the cursor is invalid
	 */
	JobPage list(JobQuery listing);

	/**
	 * Lists the due times of the scheduled jobs of a queue, without jobs that wait for a
	 * retry. The cost does not depend on the number of jobs due at a time.
	 * @param listing the query
	 * @return the times, the earliest first; fewer than the limit if there are no more
	 */
	List<DueTime> dueTimes(DueTimeQuery listing);

	/**
	 * Updates some jobs. Each is updated only if it still is as the caller expects.
	 * @param action the update
	 * @param jobs at most 100 jobs, each once
	 * @return a result for each, in their order
	 */
	List<UpdateResult> update(UpdateAction action, List<ExpectedJob> jobs);

	/**
	 * Requeues dead letters. Each is enqueued with its arguments, key and strategies into
	 * the queue in which it died, with no attempt used. A duplicate is handled as with
	 * {@code REJECT}, and the dead letter stays. Otherwise the job is no longer a dead
	 * letter and is kept with the ended jobs. A claim of the dead letter's own does not
	 * refuse it and passes to the new job for the rest of its time.
	 * @param letters at most 100 dead letters. One that is not, or no longer, a dead
	 * letter yields a {@link EnqueueResult.Duplicate} of the job it was requeued as, or
	 * of itself
	 * @return a result for each, in their order
	 */
	List<EnqueueResult> requeue(List<RequeuedJob> letters);

	/**
	 * Finds what blocks a key: the job that has its ticket, runs with its lease, or is
	 * the first that is parked for it; otherwise the direct call that claims or leases
	 * it. The call takes and frees nothing.
	 * @param key the key
	 * @param claimable whether the strategy of the key is {@code UNTIL_EXPIRED}. With
	 * another one, a claim counts only while its job waits or runs
	 * @return the blocking job or holder, or empty if there is none
	 */
	Optional<KeyBlocker> blocker(JobKey key, boolean claimable);

	/**
	 * Returns the queues that have ever had a job or a setting.
	 * @return their names, in order
	 */
	Set<String> queues();

	/**
	 * Returns the counters of a queue.
	 * @param queue the queue
	 * @return the counters, zero for one that is not known
	 */
	QueueCounts counts(String queue);

	/**
	 * Returns all queues at one instant. It takes one call, which reads at most two jobs
	 * of each queue, however many wait.
	 * @return the first {@value StoreOverview#MAX_QUEUES} queues by name
	 */
	StoreOverview overview();

	/**
	 * Returns the counts of the last minutes. There is none of a minute in which no
	 * process has called {@link JobQueue#countMinute()}, and the next one then covers
	 * that time.
	 * @param minutes the number of minutes, from 1 to
	 * {@value ThroughputSample#KEPT_MINUTES}
	 * @return the samples, the earliest first
	 * @throws IllegalArgumentException if the number is out of range
	 */
	List<ThroughputSample> throughput(int minutes);

	/**
	 * Returns the processes that take jobs: those that have requested jobs within the
	 * last hour, and those that run one. It takes several steps, each of which reads some
	 * hundreds of threads or jobs. It reads about {@value WorkerInfo#MAX_RUNNING} running
	 * jobs at most, in no order, and does not count the others. A request that returned
	 * no job is recorded once in half an hour, and after each
	 * {@linkplain #requestPolls(Instant) request for polls}.
	 * @return the processes, in the order of their names
	 */
	List<WorkerInfo> workers();

	/**
	 * Lets each worker record its next request for jobs, and notifies all workers. Does
	 * nothing if all processes were seen, or were requested to do so, within the last
	 * {@value #SEEN_FOR_SECONDS} seconds.
	 * @param oldest the time at which the process was last seen that has not been seen
	 * for longest
	 * @return the request, or an empty optional if none was necessary
	 */
	Optional<PollRequest> requestPolls(Instant oldest);

	/**
	 * Cancels a job. A waiting job ends; a running job is flagged.
	 * @param id the id of the job
	 * @return the result
	 */
	default CancelResult cancel(String id) {
		UpdateAction cancel = new UpdateAction(UpdateAction.Kind.CANCEL, null, UUID.randomUUID().toString());
		return switch (update(cancel, List.of(ExpectedJob.of(id))).get(0)) {
			case DONE -> CancelResult.CANCELLED;
			case FLAGGED -> CancelResult.FLAGGED;
			case REFUSED -> CancelResult.ENDED;
			case UNKNOWN -> CancelResult.UNKNOWN;
		};
	}

	/**
	 * Quiets the workers of a process: they take no new jobs, and finish those that run.
	 * The listeners of the process are called with the queue {@code null}, and it calls
	 * {@link JobQueue#refreshQuiet(String, boolean)}.
	 * @param instance the process, which need not be known
	 * @return whether this has changed something
	 */
	boolean quiet(String instance);

	/**
	 * Lets the workers of a process take jobs again.
	 * @param instance the process
	 * @return whether this has changed something
	 */
	boolean unquiet(String instance);

	/**
	 * Pauses a queue: its jobs are not handed out, but can be enqueued. A queue without
	 * jobs can be paused, too.
	 * @param queue the queue
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	void pause(String queue);

	/**
	 * Resumes a paused queue. An unknown queue stays unknown.
	 * @param queue the queue
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	void resume(String queue);

	/**
	 * Removes the jobs of a queue in steps of 100. Waiting jobs end as removed; so do
	 * jobs that are running now, when their runs end. Jobs enqueued from now on stay. A
	 * queue that then has no waiting job, running job or dead letter is empty. An empty
	 * queue that is not paused is left out of {@link #overview()} until it has a job
	 * again.
	 * @param queue the queue
	 * @return the number of waiting jobs removed, including those removed by concurrent
	 * callers between the steps
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	long remove(String queue);

	/**
	 * Lists the records that were set aside because this version cannot read them.
	 * Records of later versions come first.
	 * @param limit the maximum number of records
	 * @return the records
	 */
	default List<UnreadableRecord> unreadable(int limit) {
		return List.of();
	}

	/**
	 * Deletes a record that this version cannot read. The queue of the job counts it as
	 * lost, if the queue is known.
	 * @param id the id of the job
	 * @return {@code false} if there is no such record, or it can be read
	 */
	default boolean discard(String id) {
		return false;
	}

	/**
	 * Verifies the invariants of all stored data, in steps of a hundred jobs. It can run
	 * while workers run.
	 * @return the violations, empty if there are none
	 */
	List<Violation> verify();

	/**
	 * Verifies as {@link #verify()} does and repairs the violations found. Damaged
	 * records are set aside. Jobs without a record are counted as lost by their queues.
	 * Afterwards {@link #verify()} finds nothing, unless something was damaged since.
	 * @return the violations, and whether each was repaired
	 */
	List<Violation> repair();

	/**
	 * Request to all workers to record their next polls. Immutable. Times are by the
	 * clock of the store.
	 *
	 * @param time the time of the request
	 * @param before the time of the request before, or an earlier time if there was none
	 */
	record PollRequest(Instant time, Instant before) {

		/**
		 * Returns whether a worker may still record a poll. It has done so if it was seen
		 * since the request. A worker that was not seen since the request before has
		 * ended, or is busy.
		 * @param worker the worker
		 * @return whether its poll is worth waiting for
		 */
		public boolean awaits(WorkerInfo worker) {
			return worker.lastSeen().isBefore(this.time) && !worker.lastSeen().isBefore(this.before);
		}

	}

}
