package io.locket.queue;

import java.util.List;

/**
 * Asks for jobs to run. A request whose answer did not come is repeated as it is: with
 * the same id it is answered with those of its jobs that are still its own.
 *
 * @param id the id of the request, new for each
 * @param lane who asks: one of the threads of a worker, which asks for one reservation at
 * a time; the name is unique in the fleet
 * @param instance the process that asks
 * @param thread the thread that asks
 * @param queues the queues to take from, in this order
 * @param slots for how many jobs, of which the answer has 1000 at most; {@code 0} only
 * serves what is due
 */
public record ReservationRequest(String id, String lane, String instance, String thread, List<QueueLimit> queues,
		int slots) {

	public ReservationRequest {
		queues = List.copyOf(queues);
	}

	/**
	 * A queue to take from.
	 *
	 * @param queue the name of the queue
	 * @param maxRunning how many of its jobs may run at once in the fleet, {@code 0} for
	 * any number
	 */
	public record QueueLimit(String queue, int maxRunning) {

	}

}
