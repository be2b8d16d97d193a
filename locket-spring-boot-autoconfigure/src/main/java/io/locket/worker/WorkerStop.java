package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the threads of a worker that it stops, and lets them pause until then.
 */
final class WorkerStop {

	private static final Log logger = LogFactory.getLog(WorkerStop.class);

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final LongSupplier nanoTime;

	private volatile long deadline;

	private volatile long stoppedAt;

	WorkerStop(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Stop from now on.
	 * @param patience how long somebody waits for that
	 */
	void begin(Duration patience) {
		this.stoppedAt = this.nanoTime.getAsLong();
		this.deadline = this.stoppedAt + patience.toNanos();
		this.stopping.countDown();
	}

	boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

	/**
	 * Return whether nobody waits any more.
	 */
	boolean isOver() {
		return isStopping() && this.nanoTime.getAsLong() - this.deadline >= 0;
	}

	boolean isStoppingFor(Duration duration) {
		return isStopping() && this.nanoTime.getAsLong() - this.stoppedAt >= duration.toNanos();
	}

	/**
	 * Pause, no longer than until the worker stops. While it does, pauses are short.
	 */
	void pause(Duration duration) {
		try {
			if (isStopping()) {
				TimeUnit.MILLISECONDS.sleep(Math.min(duration.toMillis(), 100));
			}
			else {
				this.stopping.await(duration.toNanos(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			logger.trace("The interrupt was meant for a body that has ended", ex);
		}
	}

}
