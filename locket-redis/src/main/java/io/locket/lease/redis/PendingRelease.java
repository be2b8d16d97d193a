package io.locket.lease.redis;

/**
 * Lease to release, or acquire that may have been granted.
 *
 * @param lock the name of the lock or claim
 * @param token the token
 * @param digest the digest of the key, or empty for a claim
 * @param holdUntil the end of the minimum hold, in ms by the clock of Redis, or {@code 0}
 * @param holdFor the longest possible rest of the minimum hold, in ms, whatever the clock
 * @param listed whether the index may have an entry of the lease
 */
record PendingRelease(String lock, String token, String digest, long holdUntil, long holdFor, boolean listed) {

	static PendingRelease of(String lock, String token, String digest) {
		return new PendingRelease(lock, token, digest, 0, 0, false);
	}

	boolean isClaim() {
		return this.digest.isEmpty();
	}

}
