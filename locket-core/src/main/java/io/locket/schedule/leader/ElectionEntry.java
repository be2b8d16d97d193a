package io.locket.schedule.leader;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.locket.log.OutageLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Gate through which a process enters an election: at once if the task is its own, or
 * else when the task is needed. Thread-safe.
 */
final class ElectionEntry {

	private static final Log logger = LogFactory.getLog(ElectionEntry.class);

	private final LeaderTask task;

	private final Duration interval;

	private final Duration retry;

	private final CountDownLatch open = new CountDownLatch(1);

	private final OutageLog outage = new OutageLog(logger, System::nanoTime,
			"Could not determine whether there are schedules, which this process may have to fire. The check is"
					+ " repeated until there is a reply",
			"The schedules are known again");

	/**
	 * Creates an entry.
	 * @param task the task of a leader
	 * @param interval the time between two checks whether the task is needed
	 * @param retry the time until a failed check is repeated
	 */
	ElectionEntry(LeaderTask task, Duration interval, Duration retry) {
		this.task = task;
		this.interval = interval;
		this.retry = retry;
		if (task.isOwn()) {
			open();
		}
	}

	boolean isOpen() {
		return this.open.getCount() == 0;
	}

	void open() {
		this.open.countDown();
	}

	/**
	 * Waits until this process takes part. Called by one thread.
	 */
	void await() {
		while (!isOpen()) {
			long millis = check().toMillis();
			try {
				// The jitter spreads the checks of processes that start together.
				this.open.await(millis - ThreadLocalRandom.current().nextLong(millis / 4 + 1), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				logger.debug("Interrupted by other code; checking again sooner", ex);
			}
		}
	}

	/**
	 * Checks whether the task is needed.
	 * @return the time until the next check
	 */
	private Duration check() {
		try {
			if (this.task.isNeeded()) {
				open();
			}
			this.outage.succeeded();
			return this.interval;
		}
		catch (Throwable ex) {
			// Without this thread, the process would never take part.
			if (!isOpen()) {
				this.outage.failed(ex);
			}
			return this.retry;
		}
	}

}
