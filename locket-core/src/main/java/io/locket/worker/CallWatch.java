package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Watch over the calls of the worker to the store. Thread-safe.
 */
final class CallWatch {

	private final LongSupplier nanoTime;

	private final long silence;

	private long since;

	private long last;

	private @Nullable String error;

	/**
	 * Creates a watch of a store that responds.
	 * @param silence the time without a successful call after which the store counts as
	 * not responding; longer than the longest time between two calls
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	CallWatch(Duration silence, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.silence = silence.toNanos();
		this.since = nanoTime.getAsLong();
		this.last = this.since;
	}

	synchronized void succeeded() {
		long now = this.nanoTime.getAsLong();
		// Failed calls of other threads are repeated some seconds later.
		long longest = (this.error != null) ? this.silence / 2 : this.silence;
		if (now - this.last > longest) {
			this.since = now;
		}
		this.last = now;
		this.error = null;
	}

	/**
	 * Records that a call of the worker got no response, or an error.
	 */
	synchronized void failed(Throwable failure) {
		this.error = failure.toString();
	}

	/**
	 * Returns the time without a successful call and the last error.
	 * @return a text, or {@code null} if calls succeed, or none was made
	 */
	synchronized @Nullable String outage() {
		long silent = this.nanoTime.getAsLong() - this.last;
		return (this.error != null && silent > this.silence)
				? "No call of the workers succeeded for " + TimeUnit.NANOSECONDS.toSeconds(silent) + " s: " + this.error
				: null;
	}

	/**
	 * Returns a check for overdue work at this moment.
	 * @param patience the time that something may take
	 */
	synchronized StallCheck check(Duration patience) {
		long now = this.nanoTime.getAsLong();
		return new StallCheck(now, now - this.last <= this.silence, this.since, patience.toNanos());
	}

}
