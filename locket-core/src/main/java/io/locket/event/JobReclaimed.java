package io.locket.event;

import java.time.Duration;

/**
 * Event for a job that was reclaimed from a dead worker and is back in its place.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param reclaims the number of reclaims of the job
 * @param ran the time for which the dead worker had it, by the store's clock
 */
public record JobReclaimed(String id, String job, String queue, int reclaims, Duration ran) implements QueueEvent {

}
