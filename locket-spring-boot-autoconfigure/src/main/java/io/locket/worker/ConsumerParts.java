package io.locket.worker;

import java.util.function.LongSupplier;

import io.locket.event.JobObservers;
import io.locket.queue.ArgumentCodec;
import io.locket.queue.JobQueue;

/**
 * What all consumers of a process share.
 *
 * @param settings how they work
 * @param queue where the jobs come from
 * @param runs keeps their leases alive
 * @param ends ends them
 * @param filters leaves out queues
 * @param codec reads arguments
 * @param lanes names the lanes of the requests
 * @param observers are told of each body that is called
 * @param nanoTime the monotonic clock, in nanoseconds
 */
record ConsumerParts(ConsumerSettings settings, JobQueue queue, HeldRuns runs, ConsumerEnds ends,
		ReservationFilters filters, ArgumentCodec codec, LaneNames lanes, JobObservers observers,
		LongSupplier nanoTime) {

}
