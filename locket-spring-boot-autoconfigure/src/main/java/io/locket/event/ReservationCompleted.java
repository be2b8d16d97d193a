package io.locket.event;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * This process has asked the queues for jobs. Not published as an application event:
 * there is one for each job, or more.
 *
 * @param jobs how many jobs it got
 * @param duration how long the call took, with the ends of other jobs that went with it
 * @param error the store's error if it gave no answer, or {@code null}
 */
public record ReservationCompleted(int jobs, Duration duration, @Nullable String error) implements JobEvent {

}
