package io.locket.actuate;

import java.time.Duration;
import java.time.Instant;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queued job. Times are the store's.
 *
 * @param id the id
 * @param job the name of the job
 * @param queue the queue
 * @param state where it is in its life
 * @param arguments the arguments as an array, or a mask
 * @param key its key, or {@code null} if its strategy is {@code NONE}
 * @param lock the lock strategy
 * @param onConflict the conflict strategy
 * @param enqueuedAt when it was enqueued
 * @param startAt when it is or was due, or {@code null} for at once
 * @param startedAt when its last run was handed out, or {@code null} if it never ran
 * @param endedAt when it ended, or {@code null}
 * @param waitedMs how long it had waited since it was due when its last run began, in
 * milliseconds, or {@code null} if it waits
 * @param failedAttempts how many attempts have failed
 * @param retries how many failed attempts are followed by another one
 * @param reclaims how often it was taken from a dead worker
 * @param instance the process that has or had its last run, or {@code null}
 * @param leaseForMs how long its leases last without a heartbeat, in milliseconds
 * @param cancelled whether it was cancelled while it runs
 * @param progress how far its run says it is, or {@code null} if it has not said
 * @param lastError what its last attempt failed with, its message maybe masked, or
 * {@code null}
 * @param supersededBy the id of the job that waits in its stead, or {@code null}
 * @param putBackAs the id of the job as which this dead letter was put back, or
 * {@code null}
 */
public record JobDescriptor(String id, String job, String queue, JobState state, Object arguments,
		@Nullable KeyDescriptor key, LockStrategy lock, ConflictStrategy onConflict, Instant enqueuedAt,
		@Nullable Instant startAt, @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Long waitedMs,
		int failedAttempts, int retries, int reclaims, @Nullable String instance, long leaseForMs, boolean cancelled,
		@Nullable ProgressDescriptor progress, @Nullable String lastError, @Nullable String supersededBy,
		@Nullable String putBackAs) implements OperationResponseBody {

	static JobDescriptor of(JobRecord job, ArgumentMask mask) {
		return new JobDescriptor(job.id(), job.job(), job.queue(), job.state(),
				mask.arguments(job.job(), job.arguments()), KeyDescriptor.of(job.key(), mask), job.lock(),
				job.onConflict(), job.enqueuedAt(), job.startAt(), job.startedAt(), job.endedAt(), waited(job),
				job.attempt(), job.retries(), job.reclaims(), job.instance(), job.leaseFor().toMillis(),
				job.cancelled(), ProgressDescriptor.of(job, mask), mask.error(job.job(), job.lastError()),
				job.supersededBy(), job.putBackAs());
	}

	/**
	 * A job that waits for another run is due after its last one.
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
	 * How far a run is.
	 *
	 * @param done how much is done
	 * @param total how much there is to do, {@code 0} if that is not known
	 * @param message what the body says of it, or a mask, or {@code null}
	 * @param at when it was told
	 */
	public record ProgressDescriptor(long done, long total, @Nullable String message, Instant at) {

		static @Nullable ProgressDescriptor of(JobRecord job, ArgumentMask mask) {
			JobProgress progress = job.progress();
			return (progress != null) ? new ProgressDescriptor(progress.done(), progress.total(),
					mask.message(job.job(), progress.message()), progress.at()) : null;
		}

	}

	/**
	 * The key of a job.
	 *
	 * @param digest the digest, which names the lease of the key
	 * @param text the readable form, or a mask
	 */
	public record KeyDescriptor(String digest, @Nullable String text) {

		static @Nullable KeyDescriptor of(@Nullable JobKey key, ArgumentMask mask) {
			return (key != null) ? new KeyDescriptor(key.digest(), mask.key(key.job(), key.text())) : null;
		}

	}

}
