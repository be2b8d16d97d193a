package io.locket.worker;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Says that calls of the queue fail: at once, then once a minute, and when it answers
 * again.
 */
final class OutageLog {

	private static final Log logger = LogFactory.getLog(OutageLog.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier nanoTime;

	private volatile boolean out;

	private long saidAt;

	private long since;

	OutageLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	void failed(Throwable failure) {
		synchronized (this) {
			long now = this.nanoTime.getAsLong();
			if (this.out && now - this.saidAt < QUIET_NANOS) {
				return;
			}
			this.since = this.out ? this.since : now;
			this.saidAt = now;
			this.out = true;
		}
		logger.warn("Calls of the queue fail; workers repeat what they asked until it is answered"
				+ ". Look at Redis (said once a minute): " + failure);
		logger.debug("The failure of the queue", failure);
	}

	void answered() {
		if (!this.out) {
			return;
		}
		long seconds;
		synchronized (this) {
			if (!this.out) {
				return;
			}
			this.out = false;
			seconds = TimeUnit.NANOSECONDS.toSeconds(this.nanoTime.getAsLong() - this.since);
		}
		logger.info("The queue answers again, after " + seconds + " s");
	}

}
