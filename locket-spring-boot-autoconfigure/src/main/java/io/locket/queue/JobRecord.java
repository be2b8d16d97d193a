package io.locket.queue;

import java.time.Duration;
import java.time.Instant;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A queued job as the store has it. Immutable. Times are the store's.
 *
 * @param version the version of the record's format
 * @param id the id
 * @param job the name of the job
 * @param queue the queue
 * @param arguments the arguments as a JSON array
 * @param key the key, or {@code null} if the strategy is {@code NONE}
 * @param lock the lock strategy
 * @param onConflict the conflict strategy
 * @param state where it is in its life
 * @param enqueuedAt when it was enqueued
 * @param startAt when it is or was due, or {@code null} for at once
 * @param startedAt when its last run was handed out, or {@code null} if it never ran
 * @param endedAt when it ended, or {@code null}
 * @param attempt how many attempts have failed
 * @param retries how many failed attempts are followed by another one
 * @param reclaims how often it was taken from a dead worker
 * @param instance the process that has or had its last run, or {@code null}
 * @param leaseFor how long its leases last without a heartbeat
 * @param cancelled whether it was cancelled while it runs
 * @param lastError what its last attempt failed with, or {@code null}
 * @param trace the trace context of its producer, or {@code null}
 * @param supersededBy the id of the job that waits in its stead, or {@code null}
 * @param putBackAs the id of the job as which this dead letter was put back, or
 * {@code null}
 * @param progress how far its last run was when it last told, or {@code null} if that has
 * not told
 */
public record JobRecord(int version, String id, String job, String queue, String arguments, @Nullable JobKey key,
		LockStrategy lock, ConflictStrategy onConflict, JobState state, Instant enqueuedAt, @Nullable Instant startAt,
		@Nullable Instant startedAt, @Nullable Instant endedAt, int attempt, int retries, int reclaims,
		@Nullable String instance, Duration leaseFor, boolean cancelled, @Nullable String lastError,
		@Nullable String trace, @Nullable String supersededBy, @Nullable String putBackAs,
		@Nullable JobProgress progress) {

	/**
	 * The version of the format that this code writes. It reads older ones, too.
	 */
	public static final int VERSION = 1;

	/**
	 * Names the job without its arguments, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "job " + this.id + " (" + this.job + ", " + this.state + " in queue " + this.queue + ")";
	}

}
