package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Check for overdue work at one moment. Nothing is overdue while the store does not
 * respond, nor until the allowed time has passed since it began to respond again.
 *
 * @param now the moment, by the monotonic clock
 * @param answered whether the store has responded lately
 * @param answeringSince the time since which it responds, by the monotonic clock
 * @param patience the time that something may take, in nanoseconds
 */
record StallCheck(long now, boolean answered, long answeringSince, long patience) {

	private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

	/**
	 * Returns the time within which a thread that polls its queues in an interval has to
	 * complete a round.
	 */
	static Duration patience(Duration pollInterval) {
		return pollInterval.multipliedBy(3).plus(LONGEST_ROUND);
	}

	boolean isLate(long since) {
		long from = (since - this.answeringSince > 0) ? since : this.answeringSince;
		return this.answered && this.now - from > this.patience;
	}

	long seconds(long since) {
		return TimeUnit.NANOSECONDS.toSeconds(this.now - since);
	}

}
