package io.locket.event;

import java.time.Duration;

import io.locket.JobKey;

/**
 * A lease was released by its holder. A lease that was lost is never released.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param held for how long it was held, by the holder's monotonic clock
 */
public record LeaseReleased(JobKey key, long fencingToken, Duration held) implements LeaseEvent {

}
