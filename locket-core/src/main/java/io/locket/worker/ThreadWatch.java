package io.locket.worker;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Watch over the activity of a worker thread. The thread reports; any thread may read.
 */
final class ThreadWatch {

	private final LongSupplier nanoTime;

	private volatile @Nullable Moment last;

	/**
	 * Creates a watch of a thread that has not started.
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	ThreadWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Reports that the calling thread, which is the watched one, begins an activity.
	 */
	void begin(Activity what) {
		this.last = new Moment(what, this.nanoTime.getAsLong(), Thread.currentThread().getName());
	}

	/**
	 * Reports that the calling thread ends.
	 */
	void ends() {
		this.last = new Moment(Activity.ENDED, 0, Thread.currentThread().getName());
	}

	boolean isInBody() {
		Moment now = this.last;
		return now != null && now.what() == Activity.BODY;
	}

	/**
	 * Returns whether the thread has waited for work for longer than the time within
	 * which a poll is due.
	 */
	boolean waitsLong(StallCheck check) {
		Moment now = this.last;
		return now != null && now.what() == Activity.WAIT && check.isLate(now.since());
	}

	/**
	 * Returns the reason why the thread is stalled.
	 * @return a text, or {@code null} if it is not stalled
	 */
	@Nullable String stalled(StallCheck check) {
		Moment now = this.last;
		if (now == null) {
			return null;
		}
		if (now.what() == Activity.ENDED) {
			return "Thread " + now.thread() + " has ended while the worker runs: restart this process";
		}
		if (now.what() == Activity.WORK && check.isLate(now.since())) {
			return "Thread " + now.thread() + " runs no job and has not polled for " + check.seconds(now.since())
					+ " s: take a thread dump to find the cause, and restart this process";
		}
		return null;
	}

	/**
	 * Activity of a thread.
	 */
	enum Activity {

		/**
		 * It prepares or calls the queue.
		 */
		WORK,

		/**
		 * It runs the body of a job, which may take any time.
		 */
		BODY,

		/**
		 * It waits for work.
		 */
		WAIT,

		/**
		 * It has ended.
		 */
		ENDED

	}

	/**
	 * Start of the current activity.
	 *
	 * @param what the activity
	 * @param since the time of its start, by the monotonic clock
	 * @param thread the name of the thread
	 */
	private record Moment(Activity what, long since, String thread) {

	}

}
