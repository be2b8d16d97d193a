package io.locket.worker.run;

import java.util.function.LongSupplier;

import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.observer.JobObservers;
import io.locket.queue.JobRecord;

import org.springframework.util.Assert;

/**
 * Collaborators of all runs of queued jobs in a process, whichever workers run them.
 *
 * @param leases the leases of the runs
 * @param keys the factory of keys for runs without one
 * @param handlers the handlers of the jobs
 * @param observers the observers of bodies
 * @param nanoTime the monotonic clock of the leases, in nanoseconds
 */
public record RunParts(RunLeases leases, JobKeys keys, JobHandlers handlers, JobObservers observers,
		LongSupplier nanoTime) {

	public RunParts {
		Assert.notNull(handlers, "'handlers' must not be null");
	}

	/**
	 * Creates the holder of the leases of runs.
	 * @param maskUnknown whether jobs without a handler mask their arguments
	 * @return the holder, without any run
	 */
	public HeldRuns heldRuns(boolean maskUnknown) {
		return new HeldRuns(this.leases, this.keys, (record) -> isMasked(record, maskUnknown));
	}

	private boolean isMasked(JobRecord record, boolean maskUnknown) {
		try {
			JobHandler handler = this.handlers.find(record.job()).orElse(null);
			return (handler != null) ? handler.maskArguments() : maskUnknown;
		}
		catch (RuntimeException | Error ex) {
			// The runner reports it.
			return true;
		}
	}

}
