package io.locket.lease;

import java.util.List;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * What is asked and told of the queued runs at their store.
 */
@FunctionalInterface
public interface RunRenewer {

	/**
	 * Renew the leases of some runs by one call.
	 * @param runs at most 100 runs
	 * @return an answer for each, in their order
	 * @throws RuntimeException if the store gives no answer
	 */
	List<Answer> renew(List<RunLease> runs);

	/**
	 * Tell the store how far some runs are, by one call. By default nothing is told.
	 * @param runs at most 100 runs
	 * @throws RuntimeException if the store gives no answer
	 */
	default void report(List<Report> runs) {
	}

	/**
	 * How far a run is.
	 *
	 * @param run the run
	 * @param done how much is done
	 * @param total how much there is to do, or {@code 0} if that is not known
	 * @param message what it does, or {@code null}
	 */
	record Report(RunLease run, long done, long total, @Nullable String message) {

	}

	/**
	 * The answer to the renewal of a run's leases.
	 *
	 * @param running whether the run still has its job
	 * @param keyLoss why the key lease is lost while the run lease still holds, or
	 * {@code null}
	 * @param cancelled whether the job was cancelled
	 */
	record Answer(boolean running, @Nullable LeaseLossCause keyLoss, boolean cancelled) {

	}

}
