package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Estimate of the clock of the store: the last known times of the store plus the elapsed
 * time. Each reply was made between its request and its arrival, so it bounds the
 * difference from the monotonic clock on both sides. Within these bounds the earliest
 * time is used. Not thread-safe.
 */
final class StoreClock {

	private static final long STEP_BACK_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LongSupplier nanoTime;

	private boolean known;

	private long atLeast;

	private long atMost;

	StoreClock(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Updates the clock with a time of the store. If that contradicts the bounds, the
	 * clock was put forward or back, and only the new reply counts.
	 * @param time the time of the store
	 * @param requestedAt the time of the request, by the monotonic clock
	 * @return whether the clock was put back by more than a second
	 */
	boolean learn(Instant time, long requestedAt) {
		long nanos = TimeUnit.MILLISECONDS.toNanos(time.toEpochMilli());
		long low = nanos - this.nanoTime.getAsLong();
		long high = nanos - requestedAt;
		boolean back = this.known && this.atLeast - high > STEP_BACK_NANOS;
		if (!this.known || high - this.atLeast < 0 || this.atMost - low < 0) {
			this.atLeast = low;
			this.atMost = high;
		}
		else {
			this.atLeast += Math.max(0, low - this.atLeast);
			this.atMost -= Math.max(0, this.atMost - high);
		}
		this.known = true;
		return back;
	}

	/**
	 * Returns the time of the store, or an earlier one.
	 */
	Instant now() {
		return Instant.ofEpochMilli(TimeUnit.NANOSECONDS.toMillis(this.atLeast + this.nanoTime.getAsLong()));
	}

	/**
	 * Returns the time until a time is reached, zero or less if it already is.
	 */
	Duration until(Instant time) {
		return Duration
			.ofNanos(TimeUnit.MILLISECONDS.toNanos(time.toEpochMilli()) - this.atLeast - this.nanoTime.getAsLong());
	}

}
