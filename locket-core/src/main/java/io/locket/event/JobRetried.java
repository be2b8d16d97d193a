package io.locket.event;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Event for a job that waits for its next run.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param attempt the number of failed attempts
 * @param delay the delay until it is due
 * @param error the failure of the last attempt, or {@code null} if it was rescheduled
 * @param ran the duration of the last run, by the store's clock, or {@code null} if its
 * key was held when it was to start
 */
public record JobRetried(String id, String job, String queue, int attempt, Duration delay, @Nullable String error,
		@Nullable Duration ran) implements QueueEvent {

}
