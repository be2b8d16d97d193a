package io.locket.worker;

import java.util.List;

/**
 * Decides which queues a worker may take jobs from now. Several are asked one after
 * another, in the order of their beans. Due times, dead workers and parked jobs of all
 * queues are looked after in any case. Thread-safe.
 */
@FunctionalInterface
public interface QueueReservationFilter {

	/**
	 * Leave out queues. Called before each reservation, on the thread of a worker: must
	 * not block and do no I/O. A filter that fails leaves out nothing.
	 * @param queues the queues that a worker would take from, in its order; not
	 * modifiable
	 * @return those of them that it may take from; others are ignored
	 */
	List<String> filter(List<String> queues);

}
