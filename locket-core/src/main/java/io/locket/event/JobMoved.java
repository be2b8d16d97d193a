package io.locket.event;

/**
 * Event for a waiting job that was moved to another queue.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the new queue
 * @param from the previous queue
 */
public record JobMoved(String id, String job, String queue, String from) implements QueueEvent {

}
