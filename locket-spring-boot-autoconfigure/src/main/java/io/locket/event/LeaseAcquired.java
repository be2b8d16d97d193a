package io.locket.event;

import io.locket.JobKey;

/**
 * A lease was taken. Published on the thread that took it.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param claim whether this is a claim for a period, which is neither released nor lost
 */
public record LeaseAcquired(JobKey key, long fencingToken, boolean claim) implements LeaseEvent {

}
