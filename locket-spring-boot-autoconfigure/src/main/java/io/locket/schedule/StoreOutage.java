package io.locket.schedule;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Says that the store gives the leader no answer, once a minute at the most, and when it
 * answers again. Not thread-safe.
 */
final class StoreOutage {

	private static final Log logger = LogFactory.getLog(StoreOutage.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier nanoTime;

	private boolean out;

	private boolean said;

	private @Nullable Long saidAt;

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
		this.since = this.out ? this.since : now;
		this.out = true;
		if (this.saidAt == null || now - this.saidAt >= QUIET_NANOS) {
			this.saidAt = now;
			this.said = true;
			logger.warn("Calls of the leader fail, so that schedules do not fire; it repeats them until they are"
					+ " answered, and makes up for what was missed. Look at Redis (said once a minute): " + failure);
		}
	}

	void answered() {
		if (this.out && this.said) {
			logger.info("Calls of the leader are answered again, after "
					+ TimeUnit.NANOSECONDS.toSeconds(this.nanoTime.getAsLong() - this.since) + " s");
		}
		this.out = false;
		this.said = false;
	}

}
