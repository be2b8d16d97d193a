package io.locket.event;

import java.time.Duration;

/**
 * A job was handed out to be run.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param instance the process that runs it
 * @param attempt the number of the attempt, from 1
 * @param waited how long it was ready, parked or due before, by the store's clock
 * @param refused whether its key is taken, so that it is handed out only to fail, as
 * {@code RAISE} has it
 */
public record JobStarted(String id, String job, String queue, String instance, int attempt, Duration waited,
		boolean refused) implements QueueEvent {

}
