package io.locket.worker;

import java.util.List;

/**
 * In which order the queues of a group are asked next.
 */
@FunctionalInterface
interface QueueSequence {

	/**
	 * Order queues for the next reservation.
	 * @param queues the queues that may be asked
	 * @return the same queues, in order
	 */
	List<String> order(List<String> queues);

	static QueueSequence of(GroupSettings settings) {
		return (settings.order() == QueueOrder.WEIGHTED) ? new WeightedSequence(settings.queues()) : (queues) -> queues;
	}

}
