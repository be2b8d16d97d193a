package io.locket.lease.redis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import org.jspecify.annotations.Nullable;

/**
 * Wait for a key that is held. It tries again when the key is released and when its lease
 * can have expired. Unless the request relies on these two, it also polls at least every
 * second.
 */
final class LeaseWait implements AutoCloseable {

	private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	private final LeaseWakeups wakeups;

	private final LongSupplier nanoTime;

	LeaseWait(LeaseWakeups wakeups, LongSupplier nanoTime) {
		this.wakeups = wakeups;
		this.nanoTime = nanoTime;
	}

	/**
	 * Makes attempts until the reply is no refusal or the time is up.
	 * @param lock the name of the lock
	 * @param request the request, with the wait
	 * @param acquire the attempt
	 * @return the last reply
	 */
	LeaseAttempt await(String lock, LeaseRequest request, Acquire acquire) {
		long until = this.nanoTime.getAsLong() + request.waitTime().toNanos();
		try (LeaseWakeups.Waiter waiter = this.wakeups.join(lock)) {
			while (true) {
				LeaseAttempt attempt = acquire.attempt(waiter.hasOthers());
				waiter.served();
				long left = until - this.nanoTime.getAsLong();
				if (!(attempt instanceof LeaseAttempt.Refused refused) || left <= 0) {
					return attempt;
				}
				try {
					waiter.await(Math.min(left, pause(refused.remaining(), request.waitsForRelease())));
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return attempt;
				}
			}
		}
	}

	/**
	 * Ends all waits of a closed service, whose attempts are refused.
	 */
	@Override
	public void close() {
		this.wakeups.wakeAll();
	}

	/**
	 * Returns the time until the next attempt. The jitter spreads the waiters for one
	 * expiry.
	 */
	static long pause(@Nullable Duration remaining, boolean forRelease) {
		long jitter = ThreadLocalRandom.current().nextLong(POLL_NANOS / 4);
		long poll = POLL_NANOS - jitter;
		if (remaining == null) {
			return poll;
		}
		long expiry = remaining.toNanos() + jitter / 50 + MILLISECOND;
		return forRelease ? expiry : Math.min(poll, expiry);
	}

	/**
	 * An attempt to take a lease.
	 */
	@FunctionalInterface
	interface Acquire {

		/**
		 * Makes one attempt. May block for a command of the store.
		 * @param beforeOthers whether other callers of this process wait for the key too,
		 * so that the release of the lease has to wake them
		 * @return the reply
		 */
		LeaseAttempt attempt(boolean beforeOthers);

	}

}
