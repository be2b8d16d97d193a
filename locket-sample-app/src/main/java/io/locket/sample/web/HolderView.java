package io.locket.sample.web;

import java.time.Duration;
import java.time.Instant;

import io.locket.DuplicateJobException;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of the holder of a key that conflicts with a call.
 *
 * @param key the key
 * @param instance the process of the holder, or {@code null} if it is unknown
 * @param thread the thread that acquired it, or {@code null} if it is unknown
 * @param since the time of the acquisition, or {@code null} if it is unknown
 * @param remainingMs the time until it expires unless renewed, or {@code null} if it is
 * unknown
 */
record HolderView(String key, @Nullable String instance, @Nullable String thread, @Nullable Instant since,
		@Nullable Long remainingMs) {

	static HolderView of(DuplicateJobException ex) {
		LeaseHolder holder = ex.getHolder();
		Duration remaining = ex.getRemaining();
		Long remainingMs = (remaining != null) ? remaining.toMillis() : null;
		return (holder != null) ? new HolderView(ex.getKey().toString(), holder.instance(), holder.thread(),
				holder.since(), remainingMs) : new HolderView(ex.getKey().toString(), null, null, null, remainingMs);
	}

}
