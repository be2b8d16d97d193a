package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseKind;

/**
 * Event for a lease of a key that was taken. Published on the thread that took it. Not
 * published for a queued run without a key lease.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param claim whether it is a claim for a period, which is neither released nor lost
 */
public record LeaseAcquired(JobKey key, long fencingToken, boolean claim) implements LeaseEvent {

	@Override
	public LeaseKind kind() {
		return this.claim ? LeaseKind.CLAIM : LeaseKind.ofJob(this.key.job());
	}

}
