package io.locket.queue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * State of a queue at one instant. Immutable.
 *
 * @param counts its counters
 * @param oldestWaiting the time for which the first of its jobs has been waiting since it
 * was due, by the clock of the store, or {@code null} if none waits. Waiting jobs are
 * those that are ready or parked, and those that are due but not yet made ready by a
 * worker. The first is the first ready job by place, the first parked job by place, or
 * the earliest due job, whichever has waited longest. A job that was moved to the queue,
 * or became ready late, is behind jobs that have waited less, and counts when they are
 * gone.
 */
public record QueueOverview(QueueCounts counts, @Nullable Duration oldestWaiting) {

}
