package io.locket.event;

import java.time.Duration;

/**
 * A job was taken from a worker that died, and is back in its place.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param reclaims how often that has happened
 * @param ran for how long the dead worker had it, by the store's clock
 */
public record JobReclaimed(String id, String job, String queue, int reclaims, Duration ran) implements QueueEvent {

}
