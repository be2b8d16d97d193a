package io.locket.schedule;

import io.locket.lease.Lease;

import org.springframework.util.Assert;

/**
 * Names a lease, so that the store can look whether it still holds: the leader's, or that
 * of a process whose schedules end with it.
 *
 * @param digest the digest of its key
 * @param fencingToken its fencing token
 */
public record LeaseProof(String digest, long fencingToken) {

	public LeaseProof {
		Assert.isTrue(fencingToken > 0, "A lease without a fence proves nothing");
	}

	/**
	 * Name a lease.
	 * @param lease the lease
	 * @return its proof
	 */
	public static LeaseProof of(Lease lease) {
		return new LeaseProof(lease.key().digest(), lease.fencingToken());
	}

}
