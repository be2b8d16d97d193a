package io.locket.worker;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.RunLeases;
import io.locket.queue.JobQueue;

/**
 * What the workers of a process are made of.
 *
 * @param settings how they work
 * @param queue where the jobs come from
 * @param leases keeps the leases of their runs alive
 * @param handlers runs them
 * @param filters leaves out queues
 * @param idle the one of them that is Locket's
 * @param keys makes keys for runs that have none
 * @param watch interrupts bodies; nothing holds it up
 * @param observers are told of each run
 * @param nanoTime the monotonic clock, in nanoseconds
 */
record WorkerParts(WorkerSettings settings, JobQueue queue, RunLeases leases, JobHandlers handlers,
		ReservationFilters filters, IdleQueueFilter idle, JobKeys keys, ScheduledExecutorService watch,
		JobObservers observers, LongSupplier nanoTime) {

	static IdleQueueFilter idleAmong(List<? extends QueueReservationFilter> filters) {
		return filters.stream()
			.filter(IdleQueueFilter.class::isInstance)
			.map(IdleQueueFilter.class::cast)
			.findFirst()
			.orElseGet(IdleQueueFilter::new);
	}

}
