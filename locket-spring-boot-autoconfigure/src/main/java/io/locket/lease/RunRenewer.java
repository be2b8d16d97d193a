package io.locket.lease;

import java.util.List;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * What the heartbeat asks of the store of the queued runs.
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
