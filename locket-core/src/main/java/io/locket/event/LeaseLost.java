package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;

/**
 * Event for a lease that was lost while its body ran. Published once for each lost lease.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param cause the reason for the loss
 * @param kind the kind of the lease; {@code RUN} for a queued run without a key lease,
 * which publishes no {@link LeaseAcquired}
 */
public record LeaseLost(JobKey key, long fencingToken, LeaseLossCause cause, LeaseKind kind) implements LeaseEvent {

	/**
	 * Creates the event for a lease of a key.
	 * @param key the key
	 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
	 * @param cause the reason for the loss
	 */
	public LeaseLost(JobKey key, long fencingToken, LeaseLossCause cause) {
		this(key, fencingToken, cause, LeaseKind.ofJob(key.job()));
	}

}
