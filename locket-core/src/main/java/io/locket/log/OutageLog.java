package io.locket.log;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * Log of an outage of a store: a warning at the first failure and at most once a minute
 * after it, and one line at INFO when calls succeed again. For the warnings, failures
 * between successful calls count as one outage. Thread-safe.
 */
public final class OutageLog {

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final Log logger;

	private final LongSupplier nanoTime;

	private final String failing;

	private final String recovered;

	private volatile boolean out;

	private boolean logged;

	private @Nullable Long loggedAt;

	private long since;

	/**
	 * Creates a log.
	 * @param logger the logger to use
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param failing the text of the warning, without a full stop
	 * @param recovered the text for the end of an outage, which is followed by its length
	 */
	public OutageLog(Log logger, LongSupplier nanoTime, String failing, String recovered) {
		this.logger = logger;
		this.nanoTime = nanoTime;
		this.failing = failing;
		this.recovered = recovered;
	}

	/**
	 * Records a failed call. Nothing is recorded on an interrupted thread, because the
	 * process is stopping.
	 * @param failure the failure
	 */
	public void failed(Throwable failure) {
		log(failure, ". Check Redis (logged once a minute): " + failure);
	}

	/**
	 * Records a failed call, as {@link #failed(Throwable)} does.
	 * @param failure the failure
	 * @param message the text of the failure for the warning, with the remedy
	 */
	public void failed(Throwable failure, String message) {
		log(failure, " (logged once a minute): " + message);
	}

	private void log(Throwable failure, String message) {
		this.logger.debug(this.failing, failure);
		if (Thread.currentThread().isInterrupted() || !recordFailure()) {
			return;
		}
		this.logger.warn(this.failing + message);
	}

	/**
	 * Records a failure, which may begin an outage.
	 * @return whether to log it
	 */
	private synchronized boolean recordFailure() {
		long now = this.nanoTime.getAsLong();
		this.since = this.out ? this.since : now;
		this.out = true;
		if (this.loggedAt != null && now - this.loggedAt < QUIET_NANOS) {
			return false;
		}
		this.loggedAt = now;
		this.logged = true;
		return true;
	}

	/**
	 * Records a successful call.
	 */
	public void succeeded() {
		if (!this.out) {
			return;
		}
		long seconds;
		synchronized (this) {
			boolean silent = !this.out || !this.logged;
			this.out = false;
			this.logged = false;
			if (silent) {
				return;
			}
			seconds = TimeUnit.NANOSECONDS.toSeconds(this.nanoTime.getAsLong() - this.since);
		}
		this.logger.info(this.recovered + ", after " + seconds + " s");
	}

}
