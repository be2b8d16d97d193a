package io.locket.lease;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import org.jspecify.annotations.Nullable;

/**
 * A held lease. The heartbeat keeps it alive until it is closed, from whichever thread.
 * Not re-entrant and not bound to a thread. Thread-safe.
 */
public interface Lease extends AutoCloseable {

	/**
	 * Return the key that is held.
	 * @return the key
	 */
	JobKey key();

	/**
	 * Return the fencing token: it grows with each lease of the namespace.
	 * @return the token, or {@code 0} if the store has no fence
	 */
	long fencingToken();

	/**
	 * Return when the lease was taken.
	 * @return the time, by the clock of the store
	 */
	Instant since();

	/**
	 * Return for how long the lease surely holds unless it is renewed: a tenth less than
	 * its duration, counted from when the last confirmed renewal was sent.
	 * @return the time, zero if the lease was lost or released
	 */
	Duration remaining();

	/**
	 * Return whether the lease holds, as far as this process knows. Asks nobody.
	 * @return {@code false} once it was lost or released
	 */
	boolean isHeld();

	/**
	 * Return why the lease was lost.
	 * @return the cause, or {@code null} if it was not
	 */
	@Nullable LeaseLossCause lossCause();

	/**
	 * Run an action once when the lease is lost, at once if it is lost already. It runs
	 * on a thread of Locket's and must not block.
	 * @param action the action
	 */
	void onLost(Runnable action);

	/**
	 * Renew the lease now, for its full duration.
	 * @return {@code false} if it was lost or released
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 * @throws UnsupportedOperationException if the store cannot renew
	 */
	boolean renew();

	/**
	 * Check that the lease holds, as far as this process knows.
	 * @throws LeaseLostException if it was lost
	 */
	default void ensureHeld() {
		LeaseLossCause cause = lossCause();
		if (cause != null) {
			throw new LeaseLostException(key(), cause);
		}
	}

	/**
	 * Release the lease. Does nothing if it was lost or released. A store that gives no
	 * answer is asked again in the background; meanwhile nobody renews the lease, so that
	 * it ends by itself.
	 */
	@Override
	void close();

}
