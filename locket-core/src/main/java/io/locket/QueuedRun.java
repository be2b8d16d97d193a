package io.locket;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Queued job of a run, as the body sees it. Immutable.
 *
 * @param id the id of the job
 * @param job the name of the job, as it was enqueued
 * @param queue the queue of the job
 * @param attempt the number of this attempt, from 1; a run that is repeated because its
 * worker died or was shut down is not counted again
 * @param enqueuedAt the time of the enqueue, by the clock of Redis
 * @param startedAt the time at which this run was reserved, by the clock of Redis
 * @param retryReason the reason for the job's last wait for a retry, or {@code null} if
 * it never waited for one or was replaced since
 */
public record QueuedRun(String id, String job, String queue, int attempt, Instant enqueuedAt, Instant startedAt,
		@Nullable RetryReason retryReason) {

}
