package io.locket.event;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * Warnings that are said once a minute for each subject. Thread-safe.
 */
public final class QuietWarnings {

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final int MAX_SUBJECTS = 1000;

	private final Map<String, Long> saidAt = new ConcurrentHashMap<>();

	private final Log logger;

	private final LongSupplier nanoTime;

	/**
	 * Create warnings.
	 * @param logger where they are said
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public QuietWarnings(Log logger, LongSupplier nanoTime) {
		this.logger = logger;
		this.nanoTime = nanoTime;
	}

	/**
	 * Warn, unless that was said of the subject in the last minute.
	 * @param subject what the warning is about
	 * @param message the warning
	 * @return whether it was said
	 */
	public boolean warn(String subject, String message) {
		return warn(subject, message, null);
	}

	/**
	 * Warn, unless that was said of the subject in the last minute.
	 * @param subject what the warning is about
	 * @param message the warning
	 * @param failure what has failed, or {@code null}
	 * @return whether it was said
	 */
	public boolean warn(String subject, String message, @Nullable Throwable failure) {
		long now = this.nanoTime.getAsLong();
		if (this.saidAt.size() > MAX_SUBJECTS) {
			this.saidAt.values().removeIf((last) -> now - last >= QUIET_NANOS);
		}
		boolean[] due = new boolean[1];
		this.saidAt.compute(subject, (key, last) -> {
			due[0] = last == null || now - last >= QUIET_NANOS;
			return (last == null || due[0]) ? Long.valueOf(now) : last;
		});
		if (due[0]) {
			this.logger.warn(message + " (said once a minute for " + subject + ")", failure);
		}
		else {
			this.logger.debug(message, failure);
		}
		return due[0];
	}

}
