package io.locket.worker;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Knows what a thread of the worker does. That thread tells; anybody may look.
 */
final class ThreadWatch {

	private final LongSupplier nanoTime;

	private volatile @Nullable Moment last;

	/**
	 * Create a watch over a thread that has not begun.
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	ThreadWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * The calling thread, which is the one that is watched, begins to do something.
	 */
	void does(Doing what) {
		this.last = new Moment(what, this.nanoTime.getAsLong(), Thread.currentThread().getName());
	}

	/**
	 * The calling thread ends.
	 */
	void ends() {
		this.last = new Moment(Doing.NOTHING_ANY_MORE, 0, Thread.currentThread().getName());
	}

	boolean runsABody() {
		Moment now = this.last;
		return now != null && now.what() == Doing.BODY;
	}

	/**
	 * Return whether the thread has waited for work for longer than it may take until
	 * somebody looks.
	 */
	boolean waitsLong(StallCheck check) {
		Moment now = this.last;
		return now != null && now.what() == Doing.WAIT && check.isLate(now.since());
	}

	/**
	 * Return what keeps the thread from its work.
	 * @return a text, or {@code null} if nothing does
	 */
	@Nullable String stalled(StallCheck check) {
		Moment now = this.last;
		if (now == null) {
			return null;
		}
		if (now.what() == Doing.NOTHING_ANY_MORE) {
			return "Thread " + now.thread() + " has ended while the worker runs: restart this process";
		}
		if (now.what() == Doing.WORK && check.isLate(now.since())) {
			return "Thread " + now.thread() + " runs no job and has not come round for " + check.seconds(now.since())
					+ " s: take a thread dump to see what holds it up, and restart this process";
		}
		return null;
	}

	/**
	 * What a thread does.
	 */
	enum Doing {

		/**
		 * Asks the queue, and decides what to ask.
		 */
		WORK,

		/**
		 * Runs the body of a job, which may take its time.
		 */
		BODY,

		/**
		 * Waits until there is work.
		 */
		WAIT,

		/**
		 * It has ended.
		 */
		NOTHING_ANY_MORE

	}

	/**
	 * What the thread has begun last.
	 *
	 * @param what what it does
	 * @param since since when, by the monotonic clock
	 * @param thread its name
	 */
	private record Moment(Doing what, long since, String thread) {

	}

}
