package io.locket.queue;

import java.time.Duration;
import java.time.Instant;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import org.jspecify.annotations.Nullable;

/**
 * Queued job as it is stored. Immutable. Times are by the clock of the store.
 *
 * @param version the version of the record's format
 * @param id the id
 * @param job the name of the job
 * @param queue the queue
 * @param arguments the arguments as a JSON array
 * @param key the key, or {@code null} if the strategy is {@code NONE}
 * @param lock the lock strategy
 * @param onConflict the conflict strategy
 * @param state the state
 * @param enqueuedAt the time when it was enqueued
 * @param startAt the time when it is or was due, or {@code null} for at once
 * @param startedAt the time when its last run was handed out, or {@code null} if it never
 * ran
 * @param endedAt the time when it ended, or {@code null}
 * @param attempt the number of failed attempts
 * @param retries the number of failed attempts that are followed by another one
 * @param reclaims the number of times it was reclaimed from a dead worker
 * @param instance the process of its current or last run, or {@code null}
 * @param leaseFor the duration of its leases without a heartbeat
 * @param cancelled whether it was cancelled while running
 * @param lastError the error of its last attempt, or {@code null}
 * @param trace the trace context of its producer, or {@code null}
 * @param supersededBy the id of the waiting job that superseded it, or {@code null}
 * @param requeuedAs the id of the job as which this dead letter was requeued, or
 * {@code null}
 * @param progress the last reported progress of its last run, or {@code null} if none was
 * reported
 * @param retryReason the reason why it is, or last was, in the state {@code RETRY}, or
 * {@code null} if it never was or has been replaced since
 */
public record JobRecord(int version, String id, String job, String queue, String arguments, @Nullable JobKey key,
		LockStrategy lock, ConflictStrategy onConflict, JobState state, Instant enqueuedAt, @Nullable Instant startAt,
		@Nullable Instant startedAt, @Nullable Instant endedAt, int attempt, int retries, int reclaims,
		@Nullable String instance, Duration leaseFor, boolean cancelled, @Nullable String lastError,
		@Nullable String trace, @Nullable String supersededBy, @Nullable String requeuedAs,
		@Nullable JobProgress progress, @Nullable RetryReason retryReason) {

	/**
	 * Version of the format that this code writes. Older versions are readable, too.
	 */
	public static final int VERSION = 1;

	/**
	 * Describes the job without its arguments, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "job " + this.id + " (" + this.job + ", " + this.state + " in queue " + this.queue + ")";
	}

}
