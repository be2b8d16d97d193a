package io.locket.job.administration;

import java.util.Objects;

import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.JobStore;

/**
 * Control of the workers and {@link io.locket.worker.consumer.JobConsumers consumers} of
 * each process. Thread-safe.
 */
public final class WorkerControl {

	private final JobStore store;

	WorkerControl(JobStore store) {
		this.store = store;
	}

	/**
	 * Quiets the workers of a process. They take no new jobs until they are resumed or
	 * the process restarts. Running jobs go on. The workers follow at once, or within a
	 * minute if a notification is lost.
	 * @param instance the process, as in {@link WorkerInfo#instance()}
	 * @return whether they were not quiet before
	 */
	public boolean quiet(String instance) {
		return this.store.quiet(Objects.requireNonNull(instance, "'instance' must not be null"));
	}

	/**
	 * Lets the workers of a process take jobs again.
	 * @param instance the process, as in {@link WorkerInfo#instance()}
	 * @return whether they were quiet before
	 */
	public boolean resume(String instance) {
		return this.store.unquiet(Objects.requireNonNull(instance, "'instance' must not be null"));
	}

}
