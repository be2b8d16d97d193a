package io.locket.lease;

import java.time.Duration;

import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link LeaseRequest}.
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
	 * The key is taken.
	 *
	 * @param holder who holds it, or {@code null} if the store cannot tell
	 * @param remaining for how long it is held unless renewed, or {@code null} if the
	 * store cannot tell
	 */
	record Refused(@Nullable LeaseHolder holder, @Nullable Duration remaining) implements LeaseAttempt {
	}

}
