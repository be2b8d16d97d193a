package io.locket.lease.redis;

import java.time.Duration;
import java.time.Instant;

import io.locket.LeaseHolder;
import io.locket.lease.LeaseAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Reply to an acquire or a claim.
 *
 * @param granted whether the caller has the lease or claim
 * @param fence the fencing token if it was granted
 * @param since the time of the grant, by the clock of Redis
 * @param remaining the time for which another owner holds the key, or {@code null} if
 * that is unknown
 * @param holder the other owner, or {@code null} if it left no record
 */
record Grant(boolean granted, long fence, Instant since, @Nullable Duration remaining, @Nullable HolderRecord holder) {

	static Grant granted(long fence, Instant since) {
		return new Grant(true, fence, since, null, null);
	}

	static Grant refused(@Nullable Duration remaining, @Nullable HolderRecord holder) {
		return new Grant(false, 0, Instant.EPOCH, remaining, holder);
	}

	/**
	 * Returns the result for the caller of a request that was not granted.
	 */
	LeaseAttempt.Refused refusal() {
		return new LeaseAttempt.Refused((this.holder != null) ? this.holder.toLeaseHolder() : LeaseHolder.foreign(),
				this.remaining);
	}

}
