package io.locket.event;

import io.locket.DuplicateStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Event for a job that was not enqueued because another job has its key.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param of the id of the existing job, or {@code null} if a direct call has claimed the
 * period
 * @param strategy the duplicate strategy of the job
 */
public record JobDuplicated(String id, String job, String queue, @Nullable String of,
		DuplicateStrategy strategy) implements QueueEvent {

}
