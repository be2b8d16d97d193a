package io.locket.worker.consumer;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.locket.queue.spi.JobQueue;
import io.locket.worker.MinuteCounter;
import io.locket.worker.QuietFilter;

/**
 * Duties of a process that its polling threads perform, one at a time: to store the
 * counts of a minute, and to read whether the process is quiet. Thread-safe.
 */
final class ConsumerDuties {

	private final ReentrantLock lock = new ReentrantLock();

	private final MinuteCounter minutes;

	private final QuietFilter quiet;

	/**
	 * Creates the duties.
	 * @param queue the queue
	 * @param instance the name of this process
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param onResumed the task to run when consumers take jobs again
	 */
	ConsumerDuties(JobQueue queue, String instance, LongSupplier nanoTime, Runnable onResumed) {
		this.minutes = new MinuteCounter(queue, nanoTime, () -> ThreadLocalRandom.current().nextDouble());
		this.quiet = new QuietFilter(queue, instance, nanoTime, onResumed, false);
	}

	/**
	 * Performs what is due, unless another thread does so.
	 */
	void perform() {
		if (this.lock.tryLock()) {
			try {
				this.minutes.run();
				this.quiet.run();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Lets the next poll read whether the process is quiet.
	 */
	void onNotification() {
		this.quiet.onNotification();
	}

	/**
	 * Lets no poll hand out jobs until one has read whether the process is quiet.
	 */
	void holdUntilMarkIsRead() {
		this.quiet.hold();
	}

	QuietFilter quiet() {
		return this.quiet;
	}

}
