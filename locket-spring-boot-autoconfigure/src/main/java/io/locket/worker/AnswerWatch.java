package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Knows whether the store answers the calls of the worker. Thread-safe.
 */
final class AnswerWatch {

	private final LongSupplier nanoTime;

	private final long silence;

	private long since;

	private long last;

	private @Nullable String error;

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
		this.error = null;
	}

	/**
	 * A call of the worker got no answer, or a refusal.
	 */
	synchronized void failed(Throwable failure) {
		this.error = failure.toString();
	}

	/**
	 * Return for how long no call of the worker was answered, and why not.
	 * @return a text, or {@code null} if the store answers, or nobody has asked it
	 */
	synchronized @Nullable String unanswered() {
		long silent = this.nanoTime.getAsLong() - this.last;
		return (this.error != null && silent > this.silence) ? "No call of the workers was answered for "
				+ TimeUnit.NANOSECONDS.toSeconds(silent) + " s: " + this.error : null;
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
