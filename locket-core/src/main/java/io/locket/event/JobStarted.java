package io.locket.event;

import java.time.Duration;

/**
 * Event for a job that was reserved for a run.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param instance the process that runs it
 * @param attempt the number of the attempt, from 1
 * @param waited the time for which it was ready, parked or due before, by the store's
 * clock
 * @param refused whether its key is held, so that the attempt fails at once under
 * {@code RAISE}
 */
public record JobStarted(String id, String job, String queue, String instance, int attempt, Duration waited,
		boolean refused) implements QueueEvent {

}
