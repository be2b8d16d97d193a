package io.locket.queue.spi;

import java.time.Instant;

import io.locket.JobState;
import io.locket.queue.DueTime;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Query for jobs in a {@link JobStore}. Immutable.
 *
 * @param state the state of the jobs. Waiting jobs are ordered by place or due time,
 * running jobs are not ordered, ended jobs are ordered by end time, the latest first;
 * {@link JobState#DEAD} lists the dead letters only
 * @param queue the queue, or {@code null} for all of them; required for waiting jobs
 * @param job the name of the job, or {@code null} for any
 * @param digest the digest of the key, or {@code null} for any
 * @param limit the maximum number of jobs in a page, from 1 to 1000
 * @param cursor the start of the page, as returned with the previous page, or
 * {@code null} for the first one
 * @param dueFrom the earliest due time, inclusive, rounded up to a millisecond, or
 * {@code null} for all of them; for jobs that are scheduled or wait for a retry
 * @param dueUntil the latest due time, exclusive, rounded up to a millisecond, or
 * {@code null} for all of them; for jobs that are scheduled or wait for a retry
 */
public record JobQuery(JobState state, @Nullable String queue, @Nullable String job, @Nullable String digest, int limit,
		@Nullable String cursor, @Nullable Instant dueFrom, @Nullable Instant dueUntil) {

	public JobQuery {
		Assert.isTrue((dueFrom == null && dueUntil == null) || state == JobState.SCHEDULED || state == JobState.RETRY,
				() -> "Jobs that are " + state + " cannot be listed by due time");
		Assert.isTrue(queue != null || !state.isWaiting(), "Waiting jobs are listed by queue: set 'queue'");
		Assert.isTrue(limit >= 1 && limit <= 1000, () -> "A page has 1 to 1000 jobs, not " + limit);
		dueFrom = (dueFrom != null) ? DueTime.roundUp(dueFrom) : null;
		dueUntil = (dueUntil != null) ? DueTime.roundUp(dueUntil) : null;
	}

	/**
	 * Creates a query for jobs with any due time.
	 * @param state the state of the jobs
	 * @param queue the queue, or {@code null} for all of them; required for waiting jobs
	 * @param job the name of the job, or {@code null} for any
	 * @param digest the digest of the key, or {@code null} for any
	 * @param limit the maximum number of jobs in a page, from 1 to 1000
	 * @param cursor the start of the page, as returned with the previous page, or
	 * {@code null} for the first one
	 */
	public JobQuery(JobState state, @Nullable String queue, @Nullable String job, @Nullable String digest, int limit,
			@Nullable String cursor) {
		this(state, queue, job, digest, limit, cursor, null, null);
	}

}
