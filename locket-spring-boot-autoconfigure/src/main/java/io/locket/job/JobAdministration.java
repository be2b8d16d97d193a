package io.locket.job;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.SteerAction.Kind;
import io.locket.queue.SteerResult;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import io.locket.queue.WorkerSighting;
import org.jspecify.annotations.Nullable;

/**
 * The queues and their jobs, for those who look after them. What takes one job is one
 * atomic step. What takes a {@link JobFilter} goes through the jobs a page at a time,
 * while they go on: each of them is steered only if it still is what was seen, and a
 * failure half way leaves those steered that were. The call may be repeated then.
 * Thread-safe.
 * <p>
 * Every method throws a {@link io.locket.queue.QueueUnavailableException} if the store
 * gives no answer.
 */
public final class JobAdministration {

	private static final Set<JobState> WAITING = EnumSet.range(JobState.SCHEDULED, JobState.RETRY);

	private final JobStore store;

	private final UniqueJobs jobs;

	private final ArgumentCodec codec;

	private final JobSteering steering;

	private final JobFilters filters;

	/**
	 * Create an administration.
	 * @param store where the jobs are
	 * @param jobs the jobs that are known here
	 * @param codec reads and writes their arguments
	 */
	public JobAdministration(JobStore store, UniqueJobs jobs, ArgumentCodec codec) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.jobs = Objects.requireNonNull(jobs, "'jobs' must not be null");
		this.codec = Objects.requireNonNull(codec, "'codec' must not be null");
		this.steering = new JobSteering(store, new JobIds());
		this.filters = new JobFilters(store, jobs, codec);
	}

	/**
	 * Return the queues that have ever had a job or a setting.
	 * @return their names, in order
	 */
	public Set<String> queues() {
		return this.store.queues();
	}

	/**
	 * Return the counters of all queues.
	 * @return the counters, by the names of the queues
	 */
	public List<QueueCounts> counts() {
		return queues().stream().map(this.store::counts).toList();
	}

	/**
	 * Return the counters of a queue.
	 * @param queue the name of the queue
	 * @return the counters, zero for one that is not known
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public QueueCounts counts(String queue) {
		return this.store.counts(QueueNames.require(queue));
	}

	/**
	 * Look at all queues at one instant. Costs one call of the store, however many jobs
	 * wait.
	 * @return the first {@value StoreOverview#MAX_QUEUES} queues by name
	 */
	public StoreOverview overview() {
		return this.store.overview();
	}

	/**
	 * Look for the processes that take jobs: those that have asked for jobs within the
	 * last hour, and those that run one. Of the jobs that run it looks at about
	 * {@value WorkerSighting#MAX_RUNNING} at most.
	 * @return the processes, in the order of their names
	 */
	public List<WorkerSighting> workers() {
		return this.store.workers();
	}

	/**
	 * Look at the delayed jobs by the times at which they are due.
	 * @return a view of those of all queues
	 */
	public DelayedJobs delayed() {
		return new DelayedJobs(this.store, null);
	}

	/**
	 * Look a job up.
	 * @param id the id of the job
	 * @return the job, or empty if it is not known, or no longer
	 */
	public Optional<JobRecord> find(String id) {
		return this.store.find(id);
	}

	/**
	 * List jobs, a page at a time. Looks at no more than some thousands of them, so that
	 * a page may be short or empty and not the last one. A job that stays as it is is on
	 * one page; one that changes meanwhile may be on two or on none.
	 * @param filter which jobs
	 * @param limit how many jobs a page has at most, from 1 to 1000
	 * @param cursor where the page begins, as the page before it said, or {@code null}
	 * for the first one
	 * @return the page
	 * @throws IllegalArgumentException if the cursor is none, or if the filter has
	 * arguments and its job is unknown or does not take them
	 */
	public JobPage list(JobFilter filter, int limit, @Nullable String cursor) {
		return this.filters.read(filter).page(limit, cursor);
	}

	/**
	 * Stream jobs. The pages are fetched as the stream is consumed.
	 * @param filter which jobs
	 * @return the jobs
	 * @throws IllegalArgumentException if the filter has arguments and its job is unknown
	 * or does not take them
	 */
	public Stream<JobRecord> stream(JobFilter filter) {
		return this.filters.read(filter).stream();
	}

	/**
	 * Read the arguments of a job into the types of its parameters.
	 * @param job the job
	 * @return the arguments
	 * @throws IllegalArgumentException if the job is not known here
	 * @throws io.locket.queue.UnreadableArgumentsException if they cannot be read
	 */
	public @Nullable Object[] arguments(JobRecord job) {
		return this.codec.read(this.jobs.job(job.job()).method(), job.arguments());
	}

	/**
	 * Cancel a job: one that waits ends, one that runs is told with its next heartbeat.
	 * @param id the id of the job
	 * @return what became of it
	 */
	public CancelResult cancel(String id) {
		return this.store.cancel(id);
	}

	/**
	 * Cancel jobs: those that wait end, those that run are told with their next
	 * heartbeat.
	 * @param filter which jobs; those that have ended are left alone
	 * @return how many were cancelled
	 * @throws IllegalArgumentException if the filter has only states of jobs that are
	 * left alone, or arguments and its job is unknown or does not take them
	 */
	public SteerSummary cancel(JobFilter filter) {
		EnumSet<JobState> alive = EnumSet.copyOf(WAITING);
		alive.add(JobState.RUNNING);
		return steer(Kind.CANCEL, null, filter, alive);
	}

	/**
	 * Move a job that waits to the end of another queue. It keeps its state, its due
	 * time, its key and its strategies.
	 * @param id the id of the job
	 * @param queue the name of the queue, which need not exist
	 * @return {@link SteerResult#REFUSED} if it runs or has ended
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public SteerResult move(String id, String queue) {
		return this.steering.steer(Kind.MOVE, queue, id);
	}

	/**
	 * Move jobs that wait to the end of another queue, in their order. Those that are
	 * there already stay.
	 * @param filter which jobs; those that run or have ended are left alone
	 * @param queue the name of the queue, which need not exist
	 * @return how many were moved
	 * @throws IllegalArgumentException if no queue may have that name, or if the filter
	 * has only states of jobs that are left alone, or arguments and its job is unknown or
	 * does not take them
	 */
	public SteerSummary move(JobFilter filter, String queue) {
		return steer(Kind.MOVE, QueueNames.require(queue), filter, WAITING);
	}

	/**
	 * Make a job ready that is scheduled or waits for a retry, at the end of its queue.
	 * @param id the id of the job
	 * @return {@link SteerResult#REFUSED} if it is parked, runs or has ended
	 */
	public SteerResult runNow(String id) {
		return this.steering.steer(Kind.RUN_NOW, null, id);
	}

	/**
	 * Make jobs ready that are scheduled or wait for a retry, at the ends of their
	 * queues.
	 * @param filter which jobs; those in other states are left alone
	 * @return how many were made ready
	 * @throws IllegalArgumentException if the filter has only states of jobs that are
	 * left alone, or arguments and its job is unknown or does not take them
	 */
	public SteerSummary runNow(JobFilter filter) {
		return steer(Kind.RUN_NOW, null, filter, EnumSet.of(JobState.SCHEDULED, JobState.RETRY));
	}

	/**
	 * Take a job out of the dead letters. It stays known with what has ended.
	 * @param id the id of the letter
	 * @return {@link SteerResult#REFUSED} if the job is not dead
	 */
	public SteerResult dismiss(String id) {
		return this.steering.steer(Kind.DISMISS, null, id);
	}

	/**
	 * Take jobs out of the dead letters. They stay known with what has ended.
	 * @param filter which letters; other jobs are left alone
	 * @return how many were dismissed
	 * @throws IllegalArgumentException if the filter has only states of jobs that are
	 * left alone, or arguments and its job is unknown or does not take them
	 */
	public SteerSummary dismiss(JobFilter filter) {
		return steer(Kind.DISMISS, null, filter, EnumSet.of(JobState.DEAD));
	}

	/**
	 * Put a dead letter back: it is enqueued as a new job with the same arguments, key
	 * and strategies, into the queue in which it died, and has all its attempts again.
	 * @param id the id of the letter
	 * @return {@code Accepted} with the id of the new job, or {@code Duplicate}, and the
	 * letter stays, of the job that has its key; what is no letter, or not any more, is
	 * answered as a {@code Duplicate} of what it was put back as, or of itself
	 * @throws IllegalArgumentException if no job of that id is known, or no longer
	 */
	public EnqueueResult putBack(String id) {
		EnqueueResult result = this.steering.putBack(id);
		if (result instanceof EnqueueResult.Duplicate itself && id.equals(itself.of()) && itself.state() == null) {
			throw new IllegalArgumentException("There is no job '" + id + "', or it is no longer known");
		}
		return result;
	}

	/**
	 * Put dead letters back, the latest first.
	 * @param filter which letters; other jobs are left alone
	 * @return how many were put back
	 * @throws IllegalArgumentException if the filter has only states of jobs that are
	 * left alone, or arguments and its job is unknown or does not take them
	 */
	public PutBackSummary putBack(JobFilter filter) {
		return this.steering.putBack(this.filters.read(JobFilters.only(filter, EnumSet.of(JobState.DEAD))));
	}

	/**
	 * Hand out no more jobs of a queue. Enqueuing goes on, and what runs runs.
	 * @param queue the name of the queue, which need not exist
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public void pause(String queue) {
		this.store.pause(queue);
	}

	/**
	 * End a pause.
	 * @param queue the name of the queue
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public void resume(String queue) {
		this.store.resume(queue);
	}

	/**
	 * Remove what waits in a queue. What runs there ends as removed. What is enqueued
	 * from now on stays. A queue that holds no job that waits or runs and no dead letter
	 * then, and is not paused, is left out of {@link #overview()} until it holds
	 * something again.
	 * @param queue the name of the queue
	 * @return how many jobs that waited were removed
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public long remove(String queue) {
		return this.store.remove(queue);
	}

	/**
	 * Check the invariants of everything that is stored, beside the work.
	 * @return what contradicts them, empty if nothing does
	 */
	public List<Violation> verify() {
		return this.store.verify();
	}

	/**
	 * Check as {@link #verify()} does, and mend what can be mended.
	 * @return what contradicts the invariants, and whether it was mended
	 */
	public List<Violation> repair() {
		return this.store.repair();
	}

	private SteerSummary steer(Kind kind, @Nullable String queue, JobFilter filter, Set<JobState> states) {
		return this.steering.steer(kind, queue, this.filters.read(JobFilters.only(filter, states)));
	}

}
