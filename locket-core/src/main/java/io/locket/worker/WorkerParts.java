package io.locket.worker;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.queue.spi.JobQueue;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.reservation.ReservationFilters;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.WorkerSettings;

/**
 * Collaborators of the workers of a process.
 *
 * @param settings the settings
 * @param queue the queue
 * @param runs the collaborators of the runs
 * @param filters the reservation filters
 * @param idle the filter of Locket itself among them
 * @param watch the scheduler that interrupts bodies; its tasks must not block
 */
record WorkerParts(WorkerSettings settings, JobQueue queue, RunParts runs, ReservationFilters filters,
		IdleQueueFilter idle, ScheduledExecutorService watch) {

	LongSupplier nanoTime() {
		return this.runs.nanoTime();
	}

	static IdleQueueFilter idleAmong(List<? extends QueueReservationFilter> filters) {
		return filters.stream()
			.filter(IdleQueueFilter.class::isInstance)
			.map(IdleQueueFilter.class::cast)
			.findFirst()
			.orElseGet(IdleQueueFilter::new);
	}

}
