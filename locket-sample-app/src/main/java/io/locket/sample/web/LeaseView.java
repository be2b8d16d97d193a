package io.locket.sample.web;

import java.time.Duration;
import java.time.Instant;

import io.locket.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of a held lease.
 *
 * @param job the name of the job, or {@code null} without a holder record
 * @param key the readable key, or {@code null} without a holder record
 * @param instance the process of the holder
 * @param thread the thread that acquired it
 * @param since the time of the acquisition, or {@code null} if it is unknown
 * @param ageMs the time since the acquisition, or {@code null} if it is unknown
 * @param remainingMs the time until it expires unless renewed, or {@code null} if it is
 * unknown
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
