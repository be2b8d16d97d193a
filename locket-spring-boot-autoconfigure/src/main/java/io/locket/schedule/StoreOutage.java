package io.locket.schedule;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Says that the store gives the leader no answer: at once, then once a minute, and when
 * it answers again. Not thread-safe.
 */
final class StoreOutage {

	private static final Log logger = LogFactory.getLog(StoreOutage.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier nanoTime;

	private boolean out;

	private long saidAt;

	private long since;

	StoreOutage(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * A call failed. A thread that was interrupted, as it is when the process stops, says
	 * nothing of the store.
	 */
	void failed(RuntimeException failure) {
		logger.debug("The failure of a call of the leader", failure);
		if (Thread.currentThread().isInterrupted()) {
			return;
		}
		long now = this.nanoTime.getAsLong();
		if (this.out && now - this.saidAt < QUIET_NANOS) {
			return;
		}
		this.since = this.out ? this.since : now;
		this.saidAt = now;
		this.out = true;
		logger
			.warn("Schedules do not fire, since calls of the leader fail; it repeats them until they are answered, and"
					+ " then makes up for what was missed (said once a minute): " + failure);
	}

	void answered() {
		if (this.out) {
			this.out = false;
			logger.info("Schedules fire again, after "
					+ TimeUnit.NANOSECONDS.toSeconds(this.nanoTime.getAsLong() - this.since) + " s");
		}
	}

}
