package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Check for overdue work at one moment. Nothing is overdue while the store does not
 * respond, nor until the allowed time has passed since it began to respond again.
 *
 * @param now the moment, by the monotonic clock
 * @param responding whether the store has responded lately
 * @param respondingSince the time since which it responds, by the monotonic clock
 * @param patience the time that something may take, in nanoseconds
 */
record StallCheck(long now, boolean responding, long respondingSince, long patience) {

	private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

	/**
	 * Returns the time within which a thread that polls its queues in an interval has to
	 * complete a round.
	 */
	static Duration patience(Duration pollInterval) {
		return pollInterval.multipliedBy(3).plus(LONGEST_ROUND);
	}

	boolean isLate(long since) {
		long from = (since - this.respondingSince > 0) ? since : this.respondingSince;
		return this.responding && this.now - from > this.patience;
	}

	long seconds(long since) {
		return TimeUnit.NANOSECONDS.toSeconds(this.now - since);
	}

}
