package io.locket.sample.web;

import java.time.Duration;
import java.time.Instant;

import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * A held lease as the outside sees it.
 *
 * @param job the name of the job, or {@code null} if the holder left no record
 * @param key the readable key, or {@code null} if the holder left no record
 * @param instance the process that holds it
 * @param thread the thread that took it
 * @param since when it was taken, or {@code null} if that is not known
 * @param ageMs for how long it has been held, or {@code null} if that is not known
 * @param remainingMs for how long it holds unless renewed, or {@code null} if that is not
 * known
 * @param fencingToken its fencing token
 */
record LeaseView(@Nullable String job, @Nullable String key, String instance, String thread, @Nullable Instant since,
		@Nullable Long ageMs, @Nullable Long remainingMs, long fencingToken) {

	static LeaseView of(HeldLease lease) {
		return new LeaseView(lease.job(), lease.key(), lease.holder().instance(), lease.holder().thread(),
				lease.holder().since(), millis(lease.age()), millis(lease.remaining()), lease.holder().fencingToken());
	}

	private static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

}
