package io.locket.queue.spi;

import java.util.List;
import java.util.Set;

import org.springframework.util.Assert;

/**
 * Request for jobs to run. A request without a reply is repeated unchanged: with the same
 * id it returns those of its jobs that still belong to it.
 *
 * @param id the id of the request, unique for each. The ids of a poller may end with a
 * hyphen and a number of constant length that grows by ten and has the last digit 9. Then
 * threads may share calls, and a request reserves nothing if it is delivered after a
 * later one that reserved jobs or was repeated
 * @param poller the name of the requesting worker thread, unique in the fleet; a thread
 * has one reservation at a time
 * @param instance the requesting process
 * @param thread the requesting thread
 * @param queues the queues to take from, in this order, each once
 * @param slots the number of jobs to take; a reservation has at most 1000 of them;
 * {@code 0} only processes due work
 * @param leavesOut the names of jobs that the worker cannot run; such jobs are set aside
 * for other workers
 */
public record ReservationRequest(String id, String poller, String instance, String thread, List<QueueLimit> queues,
		int slots, Set<String> leavesOut) {

	public ReservationRequest {
		queues = List.copyOf(queues);
		Assert.isTrue(queues.size() < 2 || areDistinct(queues), "'queues' must not contain a queue twice");
		leavesOut = Set.copyOf(leavesOut);
	}

	/**
	 * Creates a request for jobs of any name.
	 * @param id the id of the request, unique for each
	 * @param poller the name of the requesting worker thread, unique in the fleet
	 * @param instance the requesting process
	 * @param thread the requesting thread
	 * @param queues the queues to take from, in this order
	 * @param slots the number of jobs to take; a reservation has at most 1000 of them;
	 * {@code 0} only processes due work
	 */
	public ReservationRequest(String id, String poller, String instance, String thread, List<QueueLimit> queues,
			int slots) {
		this(id, poller, instance, thread, queues, slots, Set.of());
	}

	private static boolean areDistinct(List<QueueLimit> queues) {
		return queues.stream().map(QueueLimit::queue).distinct().count() == queues.size();
	}

	/**
	 * Queue to take from.
	 *
	 * @param queue the name of the queue
	 * @param maxRunning the maximum number of its jobs that run at once in the fleet,
	 * {@code 0} for no limit
	 */
	public record QueueLimit(String queue, int maxRunning) {

	}

}
