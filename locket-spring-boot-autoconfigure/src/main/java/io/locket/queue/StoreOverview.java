package io.locket.queue;

import java.time.Instant;
import java.util.List;

/**
 * All queues of a namespace as they are at one instant. Immutable.
 *
 * @param time the instant, by the store's clock
 * @param queues the queues that have ever had a job or a setting, by name, but for those
 * that held nothing any more when they were removed and have not held anything since; the
 * first thousand of them if they are more
 */
public record StoreOverview(Instant time, List<QueueOverview> queues) {

	/**
	 * How many queues an overview has at most.
	 */
	public static final int MAX_QUEUES = 1000;

	public StoreOverview {
		queues = List.copyOf(queues);
	}

}
