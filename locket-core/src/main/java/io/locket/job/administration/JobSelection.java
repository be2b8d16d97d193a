package io.locket.job.administration;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;

import io.locket.JobState;
import io.locket.queue.JobPage;
import io.locket.queue.QueueNames;
import io.locket.queue.spi.UpdateAction.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Selection of the jobs of a {@link JobFilter}, to count or update them in bounded steps.
 * Each step takes the cursor that the previous step returned. The first step takes
 * {@code null}. A job is updated only if it has not changed since it was read.
 * Thread-safe.
 * <p>
 * Every method throws a {@link io.locket.queue.QueueUnavailableException} if the store
 * does not reply, and an {@link IllegalArgumentException} if the filter has only states
 * that the action does not apply to, the limit is not from 1 to 1000, or the cursor is
 * invalid. A step that failed may be repeated.
 */
public final class JobSelection {

	private static final int PAGE = 1000;

	private static final int PAGES = 10;

	private final JobUpdates updates;

	private final JobFilters filters;

	private final JobFilter filter;

	JobSelection(JobUpdates updates, JobFilters filters, JobFilter filter) {
		this.updates = updates;
		this.filters = filters;
		this.filter = Objects.requireNonNull(filter, "'filter' must not be null");
	}

	/**
	 * Counts jobs, ten pages of a thousand at most.
	 * @param cursor the place to begin at, or {@code null}
	 * @return the number of jobs, and the cursor for the next call
	 */
	public JobTally count(@Nullable String cursor) {
		FilteredJobs jobs = this.filters.read(this.filter);
		long count = 0;
		String place = cursor;
		int pages = 0;
		do {
			JobPage page = jobs.page(PAGE, place);
			count += page.jobs().size();
			place = page.cursor();
			pages++;
		}
		while (place != null && pages < PAGES);
		return new JobTally(count, place);
	}

	/**
	 * Cancels jobs that wait, and flags jobs that run.
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep cancel(int limit, @Nullable String cursor) {
		return step(Kind.CANCEL, null, null, limit, cursor);
	}

	/**
	 * Moves waiting jobs to the end of another queue.
	 * @param queue the name of the queue, which need not exist
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep move(String queue, int limit, @Nullable String cursor) {
		return step(Kind.MOVE, QueueNames.require(queue), null, limit, cursor);
	}

	/**
	 * Makes jobs ready that are scheduled or wait for a retry.
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep runNow(int limit, @Nullable String cursor) {
		return step(Kind.RUN_NOW, null, null, limit, cursor);
	}

	/**
	 * Gives waiting jobs another due time.
	 * @param at the due time
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep reschedule(Instant at, int limit, @Nullable String cursor) {
		return step(Kind.RESCHEDULE, null, Objects.requireNonNull(at, "'at' must not be null"), limit, cursor);
	}

	/**
	 * Removes jobs from the dead letters.
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep dismiss(int limit, @Nullable String cursor) {
		return step(Kind.DISMISS, null, null, limit, cursor);
	}

	/**
	 * Enqueues dead letters again, the latest first.
	 * @param limit the largest number of jobs of the step
	 * @param cursor the place to begin at, or {@code null}
	 * @return the outcome of the step
	 */
	public UpdateStep requeue(int limit, @Nullable String cursor) {
		return this.updates.requeueStep(read(JobUpdates.LETTERS), limit, cursor);
	}

	private UpdateStep step(Kind kind, @Nullable String queue, @Nullable Instant at, int limit,
			@Nullable String cursor) {
		return this.updates.step(this.updates.action(kind, queue, at), read(JobUpdates.states(kind)), limit, cursor);
	}

	private FilteredJobs read(Set<JobState> states) {
		return this.filters.read(JobFilters.only(this.filter, states));
	}

}
