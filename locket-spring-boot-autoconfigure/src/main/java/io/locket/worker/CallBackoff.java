package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to pause before a call that the store gave no answer to is repeated.
 */
final class CallBackoff {

	private static final long FIRST_MILLIS = 100;

	private static final int DOUBLED_AT_MOST = 10;

	private final long longestMillis;

	CallBackoff(Duration longest) {
		this.longestMillis = longest.toMillis();
	}

	/**
	 * Return the next pause: twice as long with each failure, and at least half of that
	 * by chance.
	 * @param failures how often the call has failed before
	 */
	Duration after(int failures) {
		long longest = Math.min(this.longestMillis, FIRST_MILLIS << Math.min(failures, DOUBLED_AT_MOST));
		return Duration.ofMillis(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
	}

}
