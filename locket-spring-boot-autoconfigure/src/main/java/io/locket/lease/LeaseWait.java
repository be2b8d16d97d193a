package io.locket.lease;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Waits for a key that is taken: asks again when it is released, when its lease can have
 * expired, and, unless the request trusts in these two, at least every second.
 */
final class LeaseWait {

	private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	private final LeaseWakeups wakeups;

	private final LongSupplier nanoTime;

	LeaseWait(LeaseWakeups wakeups, LongSupplier nanoTime) {
		this.wakeups = wakeups;
		this.nanoTime = nanoTime;
	}

	/**
	 * Ask until the answer is no refusal or the time is up.
	 * @param lock the name of the lock
	 * @param request how to wait
	 * @param question asks for the lease
	 * @return the last answer
	 */
	LeaseAttempt await(String lock, LeaseRequest request, Supplier<LeaseAttempt> question) {
		long until = this.nanoTime.getAsLong() + request.waitTime().toNanos();
		try (LeaseWakeups.Waiter waiter = this.wakeups.join(lock)) {
			while (true) {
				LeaseAttempt attempt = question.get();
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
	 * The jitter spreads those who wait for the expiry of one lease.
	 */
	private static long pause(@Nullable Duration remaining, boolean forRelease) {
		long jitter = ThreadLocalRandom.current().nextLong(POLL_NANOS / 4);
		long poll = POLL_NANOS - jitter;
		if (remaining == null) {
			return poll;
		}
		long expiry = remaining.toNanos() + jitter / 50 + MILLISECOND;
		return forRelease ? expiry : Math.min(poll, expiry);
	}

}
