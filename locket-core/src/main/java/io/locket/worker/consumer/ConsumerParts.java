package io.locket.worker.consumer;

import java.util.function.LongSupplier;

import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.reservation.PollerNames;
import io.locket.worker.reservation.ReservationFilters;
import io.locket.worker.run.HeldRuns;

/**
 * Collaborators that all consumers of a process share.
 *
 * @param settings the settings
 * @param queue the queue
 * @param runs the leases of the runs
 * @param ends the ends of the runs
 * @param filters the reservation filters
 * @param duties the duties that polling threads perform
 * @param codec the codec of arguments
 * @param pollers the names of the pollers
 * @param observers the observers of bodies
 * @param nanoTime the monotonic clock, in nanoseconds
 */
record ConsumerParts(ConsumerSettings settings, JobQueue queue, HeldRuns runs, ConsumerEnds ends,
		ReservationFilters filters, ConsumerDuties duties, ArgumentCodec codec, PollerNames pollers,
		JobObservers observers, LongSupplier nanoTime) {

}
