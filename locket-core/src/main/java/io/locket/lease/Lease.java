package io.locket.lease;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import org.jspecify.annotations.Nullable;

/**
 * A held lease. The heartbeat renews it until it is closed, by any thread. Not re-entrant
 * and not bound to a thread. Thread-safe.
 */
public interface Lease extends AutoCloseable {

	/**
	 * Returns the key that is held.
	 * @return the key
	 */
	JobKey key();

	/**
	 * Returns the fencing token, which grows with each lease of the namespace.
	 * @return the token, or {@code 0} if the store has no fence
	 */
	long fencingToken();

	/**
	 * Returns the time at which the lease was taken.
	 * @return the time, by the clock of the store
	 */
	Instant since();

	/**
	 * Returns the time for which the lease certainly holds unless it is renewed. It is a
	 * tenth less than the lease's duration, counted from the time at which the last
	 * confirmed renewal was sent.
	 * @return the time, zero if the lease was lost or released
	 */
	Duration remaining();

	/**
	 * Returns whether the lease holds, as far as this process can detect. Does not call
	 * the store.
	 * @return {@code false} once it was lost or released
	 */
	boolean isHeld();

	/**
	 * Returns the reason for which the lease was lost.
	 * @return the cause, or {@code null} if it was not
	 */
	@Nullable LeaseLossCause lossCause();

	/**
	 * Registers an action that runs once when the lease is lost, or at once if it is lost
	 * already. The action runs on a thread of Locket, independently of slow listeners,
	 * and must not block.
	 * @param action the action
	 */
	void onLost(Runnable action);

	/**
	 * Renews the lease now, for its full duration.
	 * @return {@code false} if it was lost or released
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 * @throws UnsupportedOperationException if the store cannot renew
	 */
	boolean renew();

	/**
	 * Checks that the lease holds, as far as this process can detect. Does not call the
	 * store.
	 * @throws LeaseLostException if it was lost
	 * @throws IllegalStateException if it was released, because its key may have another
	 * holder
	 */
	default void ensureHeld() {
		// First, because a lease that is not held has its cause by then if it was lost.
		boolean held = isHeld();
		LeaseLossCause cause = lossCause();
		if (cause != null) {
			throw new LeaseLostException(key(), cause);
		}
		if (!held) {
			throw new IllegalStateException("The lease of job " + key() + " was released, so its key may have another"
					+ " holder. Let each step that needs the lease end before the body or the holder releases it");
		}
	}

	/**
	 * Releases the lease. Does nothing if it was lost or released. If the store does not
	 * reply, the release is retried in the background. Meanwhile the lease is not
	 * renewed, so it ends by itself.
	 */
	@Override
	void close();

}
