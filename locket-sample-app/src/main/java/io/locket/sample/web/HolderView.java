package io.locket.sample.web;

import java.time.Duration;
import java.time.Instant;

import io.locket.DuplicateJobException;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Whoever is in the way of a refused call.
 *
 * @param key the key that is taken
 * @param instance the process that holds it, or {@code null} if that is not known
 * @param thread the thread that took it, or {@code null} if that is not known
 * @param since when it was taken, or {@code null} if that is not known
 * @param remainingMs for how long it stays taken unless renewed, or {@code null} if that
 * is not known
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
