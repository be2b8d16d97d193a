package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.worker.reservation.QueueReservationFilter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Filter that leaves out all queues while the workers of this process are quiet. They
 * still poll, to process due work. The filter reads the mark of the process when it is
 * notified, and once a minute, because notifications may be lost. Thread-safe.
 */
public final class QuietFilter implements QueueReservationFilter, Runnable {

	private static final Log logger = LogFactory.getLog(QuietFilter.class);

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final long AFTER_FAILURE = Duration.ofSeconds(5).toNanos();

	private final JobQueue queue;

	private final String instance;

	private final LongSupplier nanoTime;

	private final Runnable onResumed;

	private final AtomicInteger holds = new AtomicInteger();

	private volatile boolean quiet;

	/**
	 * Number of holds that were in place before the last read of the mark began.
	 */
	private volatile int endedHolds;

	private volatile long dueAt;

	/**
	 * Creates a filter.
	 * @param queue the queue that has the mark
	 * @param instance the name of this process
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param onResumed the task to run when queues are no longer left out
	 * @param quiet whether the workers of this process are quiet
	 */
	public QuietFilter(JobQueue queue, String instance, LongSupplier nanoTime, Runnable onResumed, boolean quiet) {
		this.queue = queue;
		this.instance = instance;
		this.nanoTime = nanoTime;
		this.onResumed = onResumed;
		this.quiet = quiet;
		this.dueAt = nanoTime.getAsLong() + INTERVAL;
	}

	/**
	 * Lets the next run read the mark.
	 */
	public void onNotification() {
		this.dueAt = this.nanoTime.getAsLong();
	}

	/**
	 * Leaves out all queues until the next run has read the mark, which may have changed
	 * while the workers were stopped.
	 */
	public void hold() {
		this.holds.incrementAndGet();
		onNotification();
	}

	/**
	 * Reads the mark if that is due. Called by one thread.
	 */
	@Override
	public void run() {
		long now = this.nanoTime.getAsLong();
		if (now - this.dueAt < 0) {
			return;
		}
		// A notification from now on makes another read due.
		this.dueAt = now + INTERVAL;
		int before = this.holds.get();
		try {
			become(this.queue.refreshQuiet(this.instance, this.quiet), before);
		}
		catch (QueueUnavailableException ex) {
			logger.debug("Whether the workers are to be quiet is read again soon", ex);
			this.dueAt = this.nanoTime.getAsLong() + AFTER_FAILURE;
		}
	}

	private void become(boolean wanted, int ended) {
		boolean changed = wanted != this.quiet;
		boolean closed = this.quiet || isHeld();
		this.quiet = wanted;
		this.endedHolds = ended;
		if (changed && wanted) {
			logger.info("The workers of this process were quieted. They take no new jobs until they are resumed or the"
					+ " process restarts. Running jobs go on");
		}
		else if (changed) {
			logger.info("The workers of this process were resumed and take jobs again");
		}
		if (closed && !wanted && !isHeld()) {
			this.onResumed.run();
		}
	}

	private boolean isHeld() {
		return this.holds.get() != this.endedHolds;
	}

	/**
	 * Returns whether the workers of this process are quiet.
	 * @return {@code true} if all queues are left out
	 */
	public boolean isQuiet() {
		return this.quiet;
	}

	@Override
	public List<String> filter(List<String> queues) {
		return (this.quiet || isHeld()) ? List.of() : queues;
	}

}
