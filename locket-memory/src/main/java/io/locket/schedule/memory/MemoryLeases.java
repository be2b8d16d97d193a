package io.locket.schedule.memory;

import java.time.Duration;

import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.schedule.LeaseProof;

/**
 * Leases of leaders and processes, to which the schedules in memory refer.
 */
final class MemoryLeases {

	private final LockSpace space;

	MemoryLeases(LockSpace space) {
		this.space = space;
	}

	boolean holds(LeaseProof proof) {
		KeyLock lock = this.space.lock(proof.digest());
		return lock != null && lock.holder().fencingToken() == proof.fencingToken();
	}

	boolean isHeld(String digest) {
		return this.space.lock(digest) != null;
	}

	/**
	 * Renews the leader's lease, unless its holder keeps it without a time limit.
	 */
	void renew(LeaseProof leader, Duration ttl) {
		KeyLock lock = this.space.lock(leader.digest());
		if (lock != null && lock.keptFor() == null) {
			this.space.put(leader.digest(), lock.until(this.space.now() + ttl.toMillis()));
		}
	}

}
