package io.locket.queue;

import java.time.Instant;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a {@link JobStore} is to list. Immutable.
 *
 * @param state in which state the jobs are: those that wait by their place or due time,
 * those that run in no order, those that have ended by the time of that, the latest
 * first; {@link JobState#DEAD} lists the dead letters only
 * @param queue the queue, or {@code null} for all of them; needed for those that wait
 * @param job the name of the job, or {@code null} for any
 * @param digest the digest of the key, or {@code null} for any
 * @param limit how many jobs a page has at most, from 1 to 1000
 * @param cursor where the page begins, as the page before it said, or {@code null} for
 * the first one
 * @param dueFrom those only that are due then or later, rounded up to a millisecond, or
 * {@code null} for all of them; for jobs that are scheduled or wait for a retry
 * @param dueUntil those only that are due before that, rounded up to a millisecond, or
 * {@code null} for all of them; for jobs that are scheduled or wait for a retry
 */
public record JobListing(JobState state, @Nullable String queue, @Nullable String job, @Nullable String digest,
		int limit, @Nullable String cursor, @Nullable Instant dueFrom, @Nullable Instant dueUntil) {

	public JobListing {
		Assert.isTrue((dueFrom == null && dueUntil == null) || state == JobState.SCHEDULED || state == JobState.RETRY,
				() -> "Jobs that are " + state + " have no due time to be listed by");
		Assert.isTrue(queue != null || !state.isWaiting(), "Jobs that wait are listed by queue");
		Assert.isTrue(limit >= 1 && limit <= 1000, () -> "A page has 1 to 1000 jobs, not " + limit);
		dueFrom = (dueFrom != null) ? DueTime.roundUp(dueFrom) : null;
		dueUntil = (dueUntil != null) ? DueTime.roundUp(dueUntil) : null;
	}

	/**
	 * Create a listing of jobs whenever they are due.
	 * @param state in which state the jobs are
	 * @param queue the queue, or {@code null} for all of them; needed for those that wait
	 * @param job the name of the job, or {@code null} for any
	 * @param digest the digest of the key, or {@code null} for any
	 * @param limit how many jobs a page has at most, from 1 to 1000
	 * @param cursor where the page begins, as the page before it said, or {@code null}
	 * for the first one
	 */
	public JobListing(JobState state, @Nullable String queue, @Nullable String job, @Nullable String digest, int limit,
			@Nullable String cursor) {
		this(state, queue, job, digest, limit, cursor, null, null);
	}

}
