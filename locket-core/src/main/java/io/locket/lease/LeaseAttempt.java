package io.locket.lease;

import java.time.Duration;

import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Result of a {@link LeaseRequest}.
 */
public sealed interface LeaseAttempt {

	/**
	 * The lease was taken.
	 *
	 * @param lease the lease
	 */
	record Acquired(Lease lease) implements LeaseAttempt {
	}

	/**
	 * The key is held.
	 *
	 * @param holder the holder, or {@code null} if the store does not report it
	 * @param remaining the time for which it is held unless renewed, or {@code null} if
	 * the store does not report it
	 */
	record Refused(@Nullable LeaseHolder holder, @Nullable Duration remaining) implements LeaseAttempt {
	}

}
