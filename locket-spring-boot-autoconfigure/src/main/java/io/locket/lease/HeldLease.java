package io.locket.lease;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * A lease that somebody in the fleet holds, as the store knew it when it was asked.
 *
 * @param digest the digest of the key
 * @param job the name of the job, or {@code null} if the holder left no record
 * @param key the readable or masked key, or {@code null} if the holder left no record
 * @param holder who holds it
 * @param age for how long it has been held, or {@code null} if that is not known
 * @param remaining for how long it holds unless renewed, or {@code null} if the store
 * cannot tell
 */
public record HeldLease(String digest, @Nullable String job, @Nullable String key, LeaseHolder holder,
		@Nullable Duration age, @Nullable Duration remaining) {

	private static final String UNKNOWN_JOB = "(foreign)";

	/**
	 * Return the key.
	 * @return the key; if the holder left no record it is of the job {@code (foreign)},
	 * and the digest stands for its text
	 */
	public JobKey jobKey() {
		return new JobKey((this.job != null) ? this.job : UNKNOWN_JOB, this.digest,
				(this.key != null) ? this.key : this.digest);
	}

}
