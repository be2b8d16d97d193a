package io.locket.job.administration;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.locket.job.JobIds;
import io.locket.job.UniqueJobs;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.StoreOverview;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.UpdateAction.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Administration of the queues and their jobs. An operation on one job is one atomic
 * step. A bulk action on a {@link JobFilter} processes the jobs page by page while
 * workers continue. It updates each job only if it has not changed since it was read. If
 * a bulk action fails, earlier updates stay, and the call may be repeated. A filter is
 * invalid if its job does not accept its arguments. It does not fit an action that
 * applies to none of its states. Thread-safe.
 * <p>
 * Every method throws a {@link io.locket.queue.QueueUnavailableException} if the store
 * does not reply.
 */
public final class JobAdministration {

	private static final int MAX_UNREADABLE = 1000;

	private final JobStore store;

	private final UniqueJobs jobs;

	private final ArgumentCodec codec;

	private final JobUpdates updates;

	private final JobFilters filters;

	/**
	 * Creates an administration.
	 * @param store the store of the jobs
	 * @param jobs the jobs of this application
	 * @param codec the codec of their arguments
	 */
	public JobAdministration(JobStore store, UniqueJobs jobs, ArgumentCodec codec) {
		this.store = Objects.requireNonNull(store, "'store' must not be null");
		this.jobs = Objects.requireNonNull(jobs, "'jobs' must not be null");
		this.codec = Objects.requireNonNull(codec, "'codec' must not be null");
		this.updates = new JobUpdates(store, new JobIds());
		this.filters = new JobFilters(store, jobs, codec);
	}

	/**
	 * Returns the queues with counters: those that have had a job or a setting.
	 * @return their names, in order
	 */
	public Set<String> queues() {
		return this.store.queues();
	}

	/**
	 * Returns the counters of all queues.
	 * @return the counters, by the names of the queues
	 */
	public List<QueueCounts> counts() {
		return queues().stream().map(this.store::counts).toList();
	}

	/**
	 * Returns the counters of a queue.
	 * @param queue the name of the queue
	 * @return the counters, zero for an unknown queue
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public QueueCounts counts(String queue) {
		return this.store.counts(QueueNames.require(queue));
	}

	/**
	 * Returns all queues at one instant, by one call of the store.
	 * @return the first {@value StoreOverview#MAX_QUEUES} queues by name
	 */
	public StoreOverview overview() {
		return this.store.overview();
	}

	/**
	 * Returns the processes that have requested jobs within the last hour, or run a job.
	 * At most once in half a minute, this takes about 300 ms, for the polls of idle ones.
	 * @return the processes, in the order of their names
	 */
	public List<WorkerInfo> workers() {
		return new WorkerList(this.store).read();
	}

	/**
	 * Returns the control of the workers of each process.
	 * @return the control
	 */
	public WorkerControl workerControl() {
		return new WorkerControl(this.store);
	}

	/**
	 * Returns a view of what has happened to jobs.
	 * @return the view
	 */
	public JobHistory history() {
		return new JobHistory(this.store);
	}

	/**
	 * Returns a view of the delayed jobs of all queues by their due times.
	 * @return the view
	 */
	public DelayedJobs delayed() {
		return new DelayedJobs(this.store, null);
	}

	/**
	 * Returns a job.
	 * @param id the id of the job
	 * @return the job, or empty if it is not, or no longer, known
	 */
	public Optional<JobRecord> find(String id) {
		return this.store.find(Objects.requireNonNull(id, "'id' must not be null"));
	}

	/**
	 * Lists jobs, one page at a time. A call examines at most some thousands of jobs, so
	 * a page that is not the last one may be short or empty. An unchanged job is on one
	 * page; a job that changes meanwhile may be on two or on none.
	 * @param filter the filter
	 * @param limit the maximum number of jobs in the page, from 1 to 1000
	 * @param cursor the start of the page, as returned with the previous page, or
	 * {@code null} for the first one
	 * @return the page
	 * @throws IllegalArgumentException if the cursor or the filter is invalid
	 */
	public JobPage list(JobFilter filter, int limit, @Nullable String cursor) {
		return this.filters.read(filter).page(limit, cursor);
	}

	/**
	 * Streams jobs. The pages are fetched as the stream is consumed.
	 * @param filter the filter
	 * @return the jobs
	 * @throws IllegalArgumentException if the filter is invalid
	 */
	public Stream<JobRecord> stream(JobFilter filter) {
		return this.filters.read(filter).stream();
	}

	/**
	 * Reads the arguments of a job into the types of its parameters.
	 * @param job the job
	 * @return the arguments
	 * @throws IllegalArgumentException if the job is unknown in this application
	 * @throws io.locket.queue.UnreadableArgumentsException if they cannot be read
	 */
	public @Nullable Object[] arguments(JobRecord job) {
		Objects.requireNonNull(job, "'job' must not be null");
		UniqueJobDefinition definition = this.jobs.job(job.job());
		return this.codec.read(definition.method(), definition.beanType(), job.arguments());
	}

	/**
	 * Cancels a job. A waiting job ends; a running job is notified with its next
	 * heartbeat.
	 * @param id the id of the job
	 * @return the result
	 */
	public CancelResult cancel(String id) {
		return this.store.cancel(Objects.requireNonNull(id, "'id' must not be null"));
	}

	/**
	 * Cancels jobs, as {@link #cancel(String)} does.
	 * @param filter the filter; ended jobs are left unchanged
	 * @return the number of cancelled jobs
	 * @throws IllegalArgumentException if the filter is invalid or does not fit
	 */
	public UpdateSummary cancel(JobFilter filter) {
		return update(Kind.CANCEL, null, null, filter);
	}

	/**
	 * Moves a waiting job to the end of another queue. It keeps its state, its due time,
	 * its key and its strategies.
	 * @param id the id of the job
	 * @param queue the name of the queue, which need not exist
	 * @return {@link UpdateResult#REFUSED} if it is running or has ended
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public UpdateResult move(String id, String queue) {
		return this.updates.update(Kind.MOVE, QueueNames.require(queue), null, id);
	}

	/**
	 * Moves waiting jobs to the end of another queue, in their order. Jobs already there
	 * keep their place.
	 * @param filter the filter; running and ended jobs are left unchanged
	 * @param queue the name of the queue, which need not exist
	 * @return the number of moved jobs
	 * @throws IllegalArgumentException if the name is not a valid queue name, or the
	 * filter does not fit this action
	 */
	public UpdateSummary move(JobFilter filter, String queue) {
		return update(Kind.MOVE, QueueNames.require(queue), null, filter);
	}

	/**
	 * Makes a job that is scheduled or waits for a retry ready, at the end of its queue.
	 * @param id the id of the job
	 * @return {@link UpdateResult#REFUSED} if it is parked, is running or has ended
	 */
	public UpdateResult runNow(String id) {
		return this.updates.update(Kind.RUN_NOW, null, null, id);
	}

	/**
	 * Makes jobs ready, as {@link #runNow(String)} does.
	 * @param filter the filter; jobs in other states are left unchanged
	 * @return the number of jobs made ready
	 * @throws IllegalArgumentException if the filter is invalid or does not fit
	 */
	public UpdateSummary runNow(JobFilter filter) {
		return update(Kind.RUN_NOW, null, null, filter);
	}

	/**
	 * Gives a waiting job another due time, to the millisecond. Uniqueness periods that
	 * count from the due time move with it.
	 * @param id the id of the job
	 * @param at the due time. A time in the past makes a job that is scheduled or waits
	 * for a retry ready; a ready or parked job keeps its place
	 * @return {@link UpdateResult#REFUSED} if it is running or has ended
	 */
	public UpdateResult reschedule(String id, Instant at) {
		return this.updates.update(Kind.RESCHEDULE, null, Objects.requireNonNull(at, "'at' must not be null"), id);
	}

	/**
	 * Gives waiting jobs another due time, as {@link #reschedule(String, Instant)} does.
	 * @param filter the filter; running and ended jobs are left unchanged
	 * @param at the due time
	 * @return the number of jobs with another due time than before
	 * @throws IllegalArgumentException if the filter is invalid or does not fit
	 */
	public UpdateSummary reschedule(JobFilter filter, Instant at) {
		return update(Kind.RESCHEDULE, null, Objects.requireNonNull(at, "'at' must not be null"), filter);
	}

	/**
	 * Removes a job from the dead letters. It stays known as an ended job.
	 * @param id the id of the dead letter
	 * @return {@link UpdateResult#REFUSED} if the job is not dead
	 */
	public UpdateResult dismiss(String id) {
		return this.updates.update(Kind.DISMISS, null, null, id);
	}

	/**
	 * Removes jobs from the dead letters. They stay known as ended jobs.
	 * @param filter the filter; jobs that are not dead letters are left unchanged
	 * @return the number of dismissed jobs
	 * @throws IllegalArgumentException if the filter is invalid or does not fit
	 */
	public UpdateSummary dismiss(JobFilter filter) {
		return update(Kind.DISMISS, null, null, filter);
	}

	/**
	 * Requeues a dead letter. It is enqueued as a new job with the same arguments, key
	 * and strategies, into the queue in which it died, and has all its attempts again.
	 * @param id the id of the dead letter
	 * @return {@code Accepted} with the id of the new job; or {@code Duplicate} of the
	 * job that has its key, in which case the dead letter stays. A job that is not, or no
	 * longer, a dead letter yields a {@code Duplicate} of the job it was requeued as, or
	 * of itself
	 * @throws IllegalArgumentException if the job is not, or no longer, known
	 */
	public EnqueueResult requeue(String id) {
		return this.updates.requeue(id);
	}

	/**
	 * Requeues dead letters, the latest first.
	 * @param filter the filter; jobs that are not dead letters are left unchanged
	 * @return the number of requeued dead letters
	 * @throws IllegalArgumentException if the filter is invalid or does not fit
	 */
	public RequeueSummary requeue(JobFilter filter) {
		return this.updates.requeue(this.filters.read(JobFilters.only(filter, JobUpdates.LETTERS)));
	}

	/**
	 * Selects jobs to count or update in bounded steps.
	 * @param filter the filter of the jobs
	 * @return the selection
	 */
	public JobSelection select(JobFilter filter) {
		return new JobSelection(this.updates, this.filters, filter);
	}

	/**
	 * Pauses a queue. Jobs can be enqueued, and are not handed out. Running jobs go on.
	 * @param queue the name of the queue, which need not exist
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public void pause(String queue) {
		this.store.pause(queue);
	}

	/**
	 * Resumes a paused queue.
	 * @param queue the name of the queue
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public void resume(String queue) {
		this.store.resume(queue);
	}

	/**
	 * Removes the jobs of a queue: waiting jobs now, running jobs when their runs end.
	 * Jobs enqueued from now on stay. An empty queue that is not paused is left out of
	 * {@link #overview()}. Its counters are deleted an hour later.
	 * @param queue the name of the queue
	 * @return the number of waiting jobs removed
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public long remove(String queue) {
		return this.store.remove(queue);
	}

	/**
	 * Lists the records that this version of Locket cannot read: damaged ones, and those
	 * of a later version. They are set aside and delay no other job. Workers of the later
	 * version take theirs back, and {@link #repair()} those that are restored.
	 * @param limit the maximum number of records, from 1 to 1000
	 * @return the records, those of later versions first
	 */
	public List<UnreadableRecord> unreadable(int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_UNREADABLE,
				() -> "From 1 to " + MAX_UNREADABLE + " records are listed, not " + limit);
		return this.store.unreadable(limit);
	}

	/**
	 * Deletes a record that this version of Locket cannot read. The queue of the job
	 * counts it as lost, if the queue is known.
	 * @param id the id of the job
	 * @return {@code false} if there is no such record, or it can be read
	 */
	public boolean discard(String id) {
		return this.store.discard(Objects.requireNonNull(id, "'id' must not be null"));
	}

	/**
	 * Verifies the invariants of all stored data. It can run while workers run.
	 * @return the violations
	 */
	public List<Violation> verify() {
		return this.store.verify();
	}

	/**
	 * Verifies the invariants and repairs violations. Damaged records are set aside. Jobs
	 * without a record count as lost ({@link QueueCounts#lost()}).
	 * @return the violations, and whether each was repaired
	 */
	public List<Violation> repair() {
		return this.store.repair();
	}

	private UpdateSummary update(Kind kind, @Nullable String queue, @Nullable Instant at, JobFilter filter) {
		return this.updates.update(kind, queue, at,
				this.filters.read(JobFilters.only(filter, JobUpdates.states(kind))));
	}

}
