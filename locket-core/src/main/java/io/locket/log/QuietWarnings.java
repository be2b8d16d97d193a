package io.locket.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * Warnings that are logged once a minute for each subject. Thread-safe.
 */
public final class QuietWarnings {

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final int MAX_SUBJECTS = 1000;

	private final Map<String, Long> loggedAt = new ConcurrentHashMap<>();

	private final Log logger;

	private final LongSupplier nanoTime;

	/**
	 * Creates warnings.
	 * @param logger the logger to use
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public QuietWarnings(Log logger, LongSupplier nanoTime) {
		this.logger = logger;
		this.nanoTime = nanoTime;
	}

	/**
	 * Logs a warning, unless one was logged for the subject in the last minute.
	 * @param subject the subject of the warning
	 * @param message the warning
	 * @return whether it was logged
	 */
	public boolean warn(String subject, String message) {
		return warn(subject, message, null);
	}

	/**
	 * Logs a warning, unless one was logged for the subject in the last minute.
	 * @param subject the subject of the warning
	 * @param message the warning
	 * @param failure the failure, or {@code null}
	 * @return whether it was logged
	 */
	public boolean warn(String subject, String message, @Nullable Throwable failure) {
		long now = this.nanoTime.getAsLong();
		if (this.loggedAt.size() > MAX_SUBJECTS) {
			this.loggedAt.values().removeIf((last) -> now - last >= QUIET_NANOS);
		}
		boolean[] due = new boolean[1];
		this.loggedAt.compute(subject, (key, last) -> {
			due[0] = last == null || now - last >= QUIET_NANOS;
			return (last == null || due[0]) ? Long.valueOf(now) : last;
		});
		if (due[0]) {
			log(message + " (logged once a minute for " + subject + ")", failure);
		}
		else {
			this.logger.debug(message, failure);
		}
		return due[0];
	}

	/**
	 * Logs a warning. The log may fail to write a failure whose {@code getMessage()}
	 * throws an exception. That must not become a failure of the caller.
	 */
	private void log(String message, @Nullable Throwable failure) {
		try {
			this.logger.warn(message, failure);
		}
		catch (RuntimeException | Error ex) {
			this.logger.warn(message + ". The failure cannot be written: " + ex.getClass().getName());
		}
	}

}
