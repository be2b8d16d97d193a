package io.locket.event;

/**
 * Event for a parked job that is ready again.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 */
public record JobPromoted(String id, String job, String queue) implements QueueEvent {

}
