package io.locket.event;

import java.time.Duration;

/**
 * Event for a job that a queue accepted.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param delay the delay until it is due, zero if it is due at once
 */
public record JobEnqueued(String id, String job, String queue, Duration delay) implements QueueEvent {

}
