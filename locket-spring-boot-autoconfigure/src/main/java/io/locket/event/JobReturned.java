package io.locket.event;

import java.time.Duration;

/**
 * A job is back in its place: its worker was shut down, or its run had lost a lease.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param ran how long its worker had it, by the store's clock
 */
public record JobReturned(String id, String job, String queue, Duration ran) implements QueueEvent {

}
