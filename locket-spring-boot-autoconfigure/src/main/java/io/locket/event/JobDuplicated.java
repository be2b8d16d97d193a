package io.locket.event;

import io.locket.DuplicateStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A job was not enqueued, since another one of its key is there.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param of the id of the job that is there, or {@code null} if a direct call has claimed
 * the period
 * @param strategy what the job says of duplicates
 */
public record JobDuplicated(String id, String job, String queue, @Nullable String of,
		DuplicateStrategy strategy) implements QueueEvent {

}
