package io.locket.event;

import java.time.Duration;

/**
 * A job was accepted by a queue.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param delay until it is due, zero for at once
 */
public record JobEnqueued(String id, String job, String queue, Duration delay) implements QueueEvent {

}
