package io.locket.event;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A job waits for its next run.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param attempt how many attempts have failed
 * @param delay until it is due
 * @param error what the last attempt failed with, or {@code null} if it was rescheduled
 * @param ran how long it ran, by the store's clock, or {@code null} if its key was taken
 * when it was to start
 */
public record JobRetried(String id, String job, String queue, int attempt, Duration delay, @Nullable String error,
		@Nullable Duration ran) implements QueueEvent {

}
