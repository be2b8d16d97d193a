package io.locket.lease.heartbeat;

import java.util.List;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * Renewal and progress reports of queued runs in their store.
 */
@FunctionalInterface
public interface RunRenewer {

	/**
	 * Renews the leases of runs by one call.
	 * @param runs at most 100 runs
	 * @return the result for each run, in the same order
	 * @throws BatchRefusedException if the store may renew each run alone
	 * @throws RuntimeException if the store does not reply
	 */
	List<Result> renew(List<RunLease> runs);

	/**
	 * Stores the progress of runs by one call. The default implementation does nothing.
	 * @param runs at most 100 runs
	 * @throws RuntimeException if the store does not reply
	 */
	default void report(List<Report> runs) {
	}

	/**
	 * Progress of a run.
	 *
	 * @param run the run
	 * @param done the amount of completed work
	 * @param total the total amount of work, or {@code 0} if it is unknown
	 * @param message a description of the current work, or {@code null}
	 */
	record Report(RunLease run, long done, long total, @Nullable String message) {

	}

	/**
	 * Result of the renewal of a run's leases.
	 *
	 * @param running whether the run still has its job
	 * @param keyLoss the cause of the loss of the key lease while the run lease still
	 * holds, or {@code null}
	 * @param cancelled whether the job was cancelled
	 */
	record Result(boolean running, @Nullable LeaseLossCause keyLoss, boolean cancelled) {

	}

}
