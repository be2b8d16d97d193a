package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * A call found its key taken, after its wait if it waits. Published on the thread that
 * asked.
 *
 * @param key the key
 * @param holder who holds it, or {@code null} if that is not known
 */
public record LeaseConflicted(JobKey key, @Nullable LeaseHolder holder) implements LeaseEvent {

}
