package io.locket.test;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.locket.queue.spi.JobStore;

/**
 * The queues of a test in their order, beginning with those that the service serves.
 */
final class QueuePlan {

	private final List<String> served;

	private final JobStore store;

	QueuePlan(List<String> served, JobStore store) {
		this.served = List.copyOf(served);
		this.store = store;
	}

	List<String> queues(List<String> named) {
		Set<String> queues = new LinkedHashSet<>(named);
		if (named.isEmpty()) {
			queues.addAll(this.served);
			queues.addAll(this.store.queues());
		}
		return List.copyOf(queues);
	}

}
