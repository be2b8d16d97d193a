package io.locket.queue.redis.turn;

import java.time.Duration;

/**
 * Time for which a turn waits for the reply to the call under way, so that it can share
 * the next one. Depends on the duration of the latest calls. Thread-safe.
 */
final class ReplyWait {

	/**
	 * Maximum time.
	 */
	static final Duration LONGEST = Duration.ofMillis(1);

	/**
	 * Minimum time. Threads that one reply has woken come back within it, unless their
	 * bodies take long.
	 */
	static final Duration SHORTEST = Duration.ofNanos(100_000);

	/**
	 * Duration from which on a call is long. While all calls are, waiting for a reply
	 * would cost more than it saves.
	 */
	static final Duration LONG_CALL = Duration.ofNanos(500_000);

	/**
	 * Divisor of the duration of a long call. A turn waits for the quotient, so its reply
	 * comes later by that part at most.
	 */
	private static final int WAIT_DIVISOR = 16;

	/**
	 * Divisor of the duration that is remembered. It grows by the quotient with each call
	 * that takes longer.
	 */
	private static final int GROWTH_DIVISOR = 16;

	/**
	 * Duration of the fastest of the latest calls. A longer one counts little by little.
	 */
	private volatile long fastest = LONG_CALL.toNanos();

	/**
	 * Handles a reply.
	 * @param took the duration of the call, in nanoseconds
	 */
	synchronized void replied(long took) {
		this.fastest = Math.min(took, this.fastest + this.fastest / GROWTH_DIVISOR + 1);
	}

	/**
	 * Returns the time in nanoseconds.
	 */
	long nanos() {
		long call = this.fastest;
		long longest = LONGEST.toNanos();
		return (call < LONG_CALL.toNanos()) ? longest
				: Math.min(longest, Math.max(SHORTEST.toNanos(), call / WAIT_DIVISOR));
	}

}
