package io.locket;

import java.time.Instant;

/**
 * What a body can know of the queued job that it runs for. Immutable.
 *
 * @param id the id of the job
 * @param job the name of the job, as it was enqueued
 * @param queue the queue it came from
 * @param attempt the number of this attempt, from 1; a run that is repeated because its
 * worker died or was shut down is not counted anew
 * @param enqueuedAt when it was enqueued, by the clock of Redis
 * @param startedAt when this run was handed out, by the clock of Redis
 */
public record QueuedRun(String id, String job, String queue, int attempt, Instant enqueuedAt, Instant startedAt) {

}
