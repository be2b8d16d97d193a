package io.locket.event;

/**
 * A job that waits was moved to another queue.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue in which it is now
 * @param from the queue in which it was
 */
public record JobMoved(String id, String job, String queue, String from) implements QueueEvent {

}
