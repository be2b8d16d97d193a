package io.locket.lease;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.lease.LeaseScripts.Grant;

/**
 * Asks Redis for leases and claims.
 */
interface LeaseGrants {

	/**
	 * Take the lease of a key.
	 * @param key the key
	 * @param token the token of the lease, new for each
	 * @param duration how long it lasts without a renewal
	 * @param body what the holder writes of itself
	 * @return the lease, or who holds it
	 */
	Grant acquire(JobKey key, String token, Duration duration, String body);

	/**
	 * Claim a key for a period.
	 * @param key the key
	 * @param token the token of the claim, new for each
	 * @param period how long it lasts
	 * @param body what the holder writes of itself
	 * @return the claim, or who has it
	 */
	Grant claim(JobKey key, String token, Duration period, String body);

}
