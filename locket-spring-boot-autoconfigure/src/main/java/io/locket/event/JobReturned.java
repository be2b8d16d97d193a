package io.locket.event;

/**
 * A job is back in its place: its worker was shut down, or its run had lost a lease.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 */
public record JobReturned(String id, String job, String queue) implements QueueEvent {

}
