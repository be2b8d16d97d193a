package io.locket.schedule;

import io.locket.lease.Lease;

import org.springframework.util.Assert;

/**
 * Identity of a lease, which the store checks: the leader's lease, or that of a process
 * whose schedules end with it.
 *
 * @param digest the digest of its key
 * @param fencingToken its fencing token
 */
public record LeaseProof(String digest, long fencingToken) {

	public LeaseProof {
		Assert.isTrue(fencingToken > 0, "A lease without a fencing token proves nothing");
	}

	/**
	 * Returns the proof of a lease.
	 * @param lease the lease
	 * @return its proof
	 */
	public static LeaseProof of(Lease lease) {
		return new LeaseProof(lease.key().digest(), lease.fencingToken());
	}

}
