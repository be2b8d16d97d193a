package io.locket.event;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Event for a direct call whose key is held, after its wait if it waits. Published on the
 * calling thread, before the conflict strategy is applied.
 *
 * @param key the key
 * @param strategy the conflict strategy of the job
 * @param holder the holder of the key, or {@code null} if unknown
 */
public record CallRefused(JobKey key, ConflictStrategy strategy, @Nullable LeaseHolder holder) implements CallEvent {

}
