package io.locket.event;

import java.time.Duration;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Event for the end of a job.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param state the final state
 * @param ran the duration of its last run, by the store's clock, or {@code null} if it
 * was not running
 * @param error the failure of its last attempt, or {@code null}
 */
public record JobEnded(String id, String job, String queue, JobState state, @Nullable Duration ran,
		@Nullable String error) implements QueueEvent {

}
