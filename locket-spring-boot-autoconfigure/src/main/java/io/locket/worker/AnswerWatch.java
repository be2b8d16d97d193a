package io.locket.worker;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Knows whether the store answers the calls of the worker. Thread-safe.
 */
final class AnswerWatch {

	private final LongSupplier nanoTime;

	private final long silence;

	private long since;

	private long last;

	/**
	 * Create a watch that takes the store for one that answers.
	 * @param silence after what time without an answer it gives none, longer than it
	 * takes until somebody asks
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	AnswerWatch(Duration silence, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.silence = silence.toNanos();
		this.since = nanoTime.getAsLong();
		this.last = this.since;
	}

	synchronized void answered() {
		long now = this.nanoTime.getAsLong();
		if (now - this.last > this.silence) {
			this.since = now;
		}
		this.last = now;
	}

	/**
	 * Return a check of what is late now.
	 * @param patience how long something may take
	 */
	synchronized StallCheck check(Duration patience) {
		long now = this.nanoTime.getAsLong();
		return new StallCheck(now, now - this.last <= this.silence, this.since, patience.toNanos());
	}

}
