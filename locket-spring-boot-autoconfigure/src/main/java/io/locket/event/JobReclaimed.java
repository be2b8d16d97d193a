package io.locket.event;

/**
 * A job was taken from a worker that died, and is back in its place.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param reclaims how often that has happened
 */
public record JobReclaimed(String id, String job, String queue, int reclaims) implements QueueEvent {

}
