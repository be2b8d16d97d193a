package io.locket.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Stop signal for the threads of a worker, which may pause until then.
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
	 * Signals the stop, unless it has been signalled. Calls must not overlap.
	 * @param patience the time for which the shutdown waits
	 * @return whether this is the first signal
	 */
	boolean begin(Duration patience) {
		if (isStopping()) {
			return false;
		}
		this.stoppedAt = this.nanoTime.getAsLong();
		this.deadline = this.stoppedAt + patience.toNanos();
		this.stopping.countDown();
		return true;
	}

	boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

	/**
	 * Returns whether the shutdown no longer waits.
	 */
	boolean isOver() {
		return isStopping() && left() <= 0;
	}

	/**
	 * Returns for how long the shutdown still waits, in nanoseconds.
	 */
	long left() {
		return this.deadline - this.nanoTime.getAsLong();
	}

	boolean isStoppingFor(Duration duration) {
		return isStopping() && this.nanoTime.getAsLong() - this.stoppedAt >= duration.toNanos();
	}

	/**
	 * Pauses, at most until the worker stops. During the stop, pauses are short.
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
