package io.locket.worker;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Caller of {@link JobQueue#countMinute()} at the beginning of each minute. The calls of
 * the processes of a fleet are spread over a second. Used by one thread.
 */
public final class MinuteCounter implements Runnable {

	private static final Log logger = LogFactory.getLog(MinuteCounter.class);

	/**
	 * Time after the start of the worker until the first call.
	 */
	private static final Duration FIRST = Duration.ofSeconds(10);

	private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

	private static final Duration SPREAD = Duration.ofSeconds(1);

	private final JobQueue queue;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private long dueAt;

	/**
	 * Creates a counter.
	 * @param queue the queue
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param random a random number from 0 to 1
	 */
	public MinuteCounter(JobQueue queue, LongSupplier nanoTime, DoubleSupplier random) {
		this.queue = queue;
		this.nanoTime = nanoTime;
		this.random = random;
		plan(FIRST);
	}

	private void plan(Duration delay) {
		this.dueAt = this.nanoTime.getAsLong() + delay.toNanos()
				+ Math.round(SPREAD.toNanos() * this.random.getAsDouble());
	}

	/**
	 * Calls the queue if a minute has begun since the last call.
	 */
	@Override
	public void run() {
		if (this.nanoTime.getAsLong() - this.dueAt < 0) {
			return;
		}
		Duration next = AFTER_FAILURE;
		try {
			next = this.queue.countMinute();
		}
		catch (QueueUnavailableException ex) {
			logger.debug("The counts of a minute are not stored; the next ones contain them", ex);
		}
		finally {
			plan(next);
		}
	}

}
