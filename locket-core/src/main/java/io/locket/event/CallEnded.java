package io.locket.event;

import java.time.Duration;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * Event for the end of the body of a direct call. Not published for a call that was
 * refused, that runs inside another call of its key, or that ran unguarded during an
 * outage of the store.
 *
 * @param key the key
 * @param ran the duration of the body, by the monotonic clock of its process
 * @param error the type of the failure, or {@code null};
 * {@code java.util.concurrent.CancellationException} for a cancelled body
 */
public record CallEnded(JobKey key, Duration ran, @Nullable String error) implements CallEvent {

}
