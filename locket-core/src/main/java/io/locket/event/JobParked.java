package io.locket.event;

/**
 * Event for a job that waits for the lease of its key.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 */
public record JobParked(String id, String job, String queue) implements QueueEvent {

}
