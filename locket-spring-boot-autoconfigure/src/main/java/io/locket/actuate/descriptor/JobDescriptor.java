package io.locket.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queued job. Times are those of the store.
 *
 * @param id the id
 * @param job the name of the job
 * @param queue the queue
 * @param state the state
 * @param arguments the arguments as an array, or a mask
 * @param key the key, or {@code null} if the strategy is {@code NONE}
 * @param lock the lock strategy
 * @param onConflict the conflict strategy
 * @param enqueuedAt the time of enqueuing
 * @param startAt the current or last due time, or {@code null} for at once
 * @param startedAt the time of the last reservation, or {@code null} if it never ran
 * @param endedAt the time of the end, or {@code null}
 * @param waitedMs the time from the due time to the start of the last run, in
 * milliseconds, or {@code null} while it waits
 * @param failedAttempts the number of failed attempts
 * @param retries the maximum number of retries
 * @param reclaims the number of reclaims from dead workers
 * @param instance the process of the current or last run, or {@code null}
 * @param leaseForMs the duration of its leases without a heartbeat, in milliseconds
 * @param cancelled whether it was cancelled while it runs
 * @param progress the progress of its run, or {@code null} if the body reports none
 * @param lastError the error of the last failed attempt, with a message that may be
 * masked, or {@code null}
 * @param retryReason the reason for the current or last time in the state {@code RETRY},
 * or {@code null}
 * @param supersededBy the id of the waiting job that superseded it, or {@code null}
 * @param requeuedAs the id of the new job for which this dead letter was requeued, or
 * {@code null}
 * @param attempts the failed attempts that are kept, the latest first, or {@code null} in
 * a list of jobs
 */
public record JobDescriptor(String id, String job, String queue, JobState state, Object arguments,
		@Nullable KeyDescriptor key, LockStrategy lock, ConflictStrategy onConflict, Instant enqueuedAt,
		@Nullable Instant startAt, @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Long waitedMs,
		int failedAttempts, int retries, int reclaims, @Nullable String instance, long leaseForMs, boolean cancelled,
		@Nullable ProgressDescriptor progress, @Nullable String lastError, @Nullable RetryReason retryReason,
		@Nullable String supersededBy, @Nullable String requeuedAs,
		@Nullable List<AttemptDescriptor> attempts) implements OperationResponseBody {

	/**
	 * Describes a job of a list.
	 * @param job the job
	 * @param mask the mask of hidden values
	 * @return the descriptor
	 */
	public static JobDescriptor of(JobRecord job, ArgumentMask mask) {
		return of(job, null, mask);
	}

	/**
	 * Describes a job with its failed attempts.
	 * @param job the job
	 * @param attempts the attempts, or {@code null} to leave them out
	 * @param mask the mask of hidden values
	 * @return the descriptor
	 */
	public static JobDescriptor of(JobRecord job, @Nullable List<FailedAttempt> attempts, ArgumentMask mask) {
		return new JobDescriptor(job.id(), job.job(), job.queue(), job.state(),
				mask.arguments(job.job(), job.arguments()), KeyDescriptor.of(job.key(), mask), job.lock(),
				job.onConflict(), job.enqueuedAt(), job.startAt(), job.startedAt(), job.endedAt(), waited(job),
				job.attempt(), job.retries(), job.reclaims(), job.instance(), job.leaseFor().toMillis(),
				job.cancelled(), ProgressDescriptor.of(job, mask), mask.error(job.job(), job.lastError()),
				job.retryReason(), job.supersededBy(), job.requeuedAs(),
				(attempts != null)
						? attempts.stream().map((attempt) -> AttemptDescriptor.of(job.job(), attempt, mask)).toList()
						: null);
	}

	/**
	 * Returns the waiting time. The due time of a waiting job is later than its last run.
	 */
	private static @Nullable Long waited(JobRecord job) {
		Instant due = (job.startAt() != null && job.startAt().isAfter(job.enqueuedAt())) ? job.startAt()
				: job.enqueuedAt();
		if (job.state().isWaiting() || job.startedAt() == null || job.startedAt().isBefore(due)) {
			return null;
		}
		return Duration.between(due, job.startedAt()).toMillis();
	}

	/**
	 * The progress of a run.
	 *
	 * @param done the completed amount
	 * @param total the total amount, {@code 0} if it is unknown
	 * @param message the text of the body, or a mask, or {@code null}
	 * @param at the time of the report
	 */
	public record ProgressDescriptor(long done, long total, @Nullable String message, Instant at) {

		static @Nullable ProgressDescriptor of(JobRecord job, ArgumentMask mask) {
			JobProgress progress = job.progress();
			return (progress != null) ? new ProgressDescriptor(progress.done(), progress.total(),
					mask.message(job.job(), progress.message()), progress.at()) : null;
		}

	}

}
