package io.locket.event;

/**
 * Event for a waiting job that took the arguments of a new one.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param by the id under which the new arguments were enqueued
 */
public record JobReplaced(String id, String job, String queue, String by) implements QueueEvent {

}
