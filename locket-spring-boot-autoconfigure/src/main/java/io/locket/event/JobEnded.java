package io.locket.event;

import java.time.Duration;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job has ended.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param state how it ended
 * @param ran how long its last run took, by the store's clock, or {@code null} if it was
 * not running
 * @param error what its last attempt failed with, or {@code null}
 */
public record JobEnded(String id, String job, String queue, JobState state, @Nullable Duration ran,
		@Nullable String error) implements QueueEvent {

}
