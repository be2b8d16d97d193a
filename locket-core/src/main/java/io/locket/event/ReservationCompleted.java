package io.locket.event;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Event for a reservation call of this process. Not published as an application event
 * because there is one or more for each job.
 *
 * @param jobs the number of jobs it returned
 * @param duration the duration of the call, which may also carry the ends of other jobs
 * @param error the store's error if it did not reply, or {@code null}
 */
public record ReservationCompleted(int jobs, Duration duration, @Nullable String error) implements JobEvent {

}
