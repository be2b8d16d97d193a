package io.locket.worker.reservation;

import java.util.List;

/**
 * Strategy that decides from which queues a worker may take jobs. Beans of this type are
 * called in their order. Due times, dead workers and parked jobs of all queues are
 * processed in any case. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface QueueReservationFilter {

	/**
	 * Filters the queues. Called before each reservation, on the thread of a worker:
	 * implementations must not block or do I/O. A filter that fails excludes nothing.
	 * @param queues the queues that a worker would take from, in its order; not
	 * modifiable
	 * @return the queues from which it may take; other names are ignored
	 */
	List<String> filter(List<String> queues);

}
