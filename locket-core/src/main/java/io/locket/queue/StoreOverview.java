package io.locket.queue;

import java.time.Instant;
import java.util.List;

/**
 * State of all queues of a namespace at one instant. Immutable.
 *
 * @param time the instant, by the clock of the store
 * @param queues the queues that have ever had a job or a setting, by name, at most the
 * first thousand. Queues that were empty when they were removed and have stayed empty
 * since are left out
 */
public record StoreOverview(Instant time, List<QueueOverview> queues) {

	/**
	 * Maximum number of queues in an overview.
	 */
	public static final int MAX_QUEUES = 1000;

	public StoreOverview {
		queues = List.copyOf(queues);
	}

}
