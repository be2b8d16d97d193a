package io.locket.worker.reservation;

import java.util.List;

import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;

/**
 * Order of the queues of a group in the next request.
 */
@FunctionalInterface
interface QueueSequence {

	/**
	 * Orders queues for the next reservation.
	 * @param queues the queues of the request
	 * @return the same queues, in order
	 */
	List<String> order(List<String> queues);

	static QueueSequence of(GroupSettings settings) {
		return (settings.order() == QueueOrder.WEIGHTED) ? new WeightedSequence(settings.queues()) : (queues) -> queues;
	}

}
