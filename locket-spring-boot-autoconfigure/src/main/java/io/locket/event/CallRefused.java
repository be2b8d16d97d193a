package io.locket.event;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * A direct call found its key taken, after its wait if it waits. Published on the thread
 * that asked for the lease, before what the strategy says is done.
 *
 * @param key the key
 * @param strategy what the job says of conflicts
 * @param holder who holds the key, or {@code null} if that is not known
 */
public record CallRefused(JobKey key, ConflictStrategy strategy, @Nullable LeaseHolder holder) implements CallEvent {

}
