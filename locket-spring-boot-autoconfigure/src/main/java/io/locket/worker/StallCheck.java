package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells at one moment what is late. Nothing is while the store gives no answer, nor until
 * the same time has passed since it began to answer again.
 *
 * @param now the moment, by the monotonic clock
 * @param answered whether the store has answered lately
 * @param answeringSince since when it answers, by the monotonic clock
 * @param patience how long something may take, in nanoseconds
 */
record StallCheck(long now, boolean answered, long answeringSince, long patience) {

	private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

	/**
	 * Return how long it may take until a thread comes round that looks at its queues
	 * once in an interval.
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
