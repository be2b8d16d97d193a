package io.locket.lease;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import org.jspecify.annotations.Nullable;

/**
 * Held lease of the fleet, as reported by the store.
 *
 * @param digest the digest of the key
 * @param job the name of the job, or {@code null} if the holder left no record
 * @param key the readable or masked key, or {@code null} if the holder left no record
 * @param holder the holder
 * @param age the time since it was taken, or {@code null} if unknown
 * @param remaining the time for which it holds unless renewed, or {@code null} if the
 * store does not report it
 * @param kind the kind of the lease
 */
public record HeldLease(String digest, @Nullable String job, @Nullable String key, LeaseHolder holder,
		@Nullable Duration age, @Nullable Duration remaining, LeaseKind kind) {

	private static final String UNKNOWN_JOB = "(foreign)";

	/**
	 * Returns the key.
	 * @return the key; if the holder left no record, the job is {@code (foreign)} and the
	 * text is the digest
	 */
	public JobKey jobKey() {
		return new JobKey((this.job != null) ? this.job : UNKNOWN_JOB, this.digest,
				(this.key != null) ? this.key : this.digest);
	}

}
