package io.locket.schedule.leader;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Watch over the task of a leader. The thread of the candidate reports; any thread may
 * read.
 */
final class TaskWatch {

	private final LongSupplier nanoTime;

	private volatile @Nullable Long since;

	/**
	 * Creates a watch of a task that does not run.
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	TaskWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Performs a step of the task.
	 */
	<T> T over(Supplier<T> step) {
		this.since = this.nanoTime.getAsLong();
		try {
			return step.get();
		}
		finally {
			this.since = null;
		}
	}

	/**
	 * Returns for how long the current step has run.
	 * @return the time, or zero if none runs
	 */
	Duration elapsed() {
		Long begun = this.since;
		return (begun != null) ? Duration.ofNanos(this.nanoTime.getAsLong() - begun) : Duration.ZERO;
	}

}
