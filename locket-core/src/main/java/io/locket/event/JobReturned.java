package io.locket.event;

import java.time.Duration;

/**
 * Event for a job that is back in its place because its worker was shut down or its run
 * lost a lease.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param ran the time for which its worker had it, by the store's clock
 */
public record JobReturned(String id, String job, String queue, Duration ran) implements QueueEvent {

}
