package io.locket.queue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A queue as it is at one instant. Immutable.
 *
 * @param counts its counters
 * @param oldestWaiting for how long the first of its jobs has waited since it was due, by
 * the store's clock, or {@code null} if none waits. Jobs that wait are those that are
 * ready or parked, and those that are due and that no worker has made ready yet; the
 * first is the first ready or the first parked one by place, or that which is due,
 * whichever has waited longest. A job that was moved to the queue, or became ready late,
 * has its place behind others that have waited less, and is seen when they are gone.
 */
public record QueueOverview(QueueCounts counts, @Nullable Duration oldestWaiting) {

}
