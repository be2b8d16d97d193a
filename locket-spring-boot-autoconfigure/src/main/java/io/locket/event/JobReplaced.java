package io.locket.event;

/**
 * A job that waits has taken the arguments of another one.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param by the id under which the arguments came
 */
public record JobReplaced(String id, String job, String queue, String by) implements QueueEvent {

}
