package io.locket.event;

import java.time.Duration;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * The body of a direct call has ended. One that was refused, that runs inside another one
 * of its key, or that ran unguarded because the store was away, is not told.
 *
 * @param key the key
 * @param ran how long it ran, by the monotonic clock of its process
 * @param error the type of what it failed with, or {@code null}; for what ends by being
 * cancelled, {@code java.util.concurrent.CancellationException}
 */
public record CallEnded(JobKey key, Duration ran, @Nullable String error) implements CallEvent {

}
