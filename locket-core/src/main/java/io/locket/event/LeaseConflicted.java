package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;
import org.jspecify.annotations.Nullable;

/**
 * Event for a call whose key is held, after its wait if it waits. Published on the
 * calling thread.
 *
 * @param key the key
 * @param holder the holder of the key, or {@code null} if unknown
 * @param kind the kind of the lease
 */
public record LeaseConflicted(JobKey key, @Nullable LeaseHolder holder, LeaseKind kind) implements LeaseEvent {

	/**
	 * Creates the event for a lease of a key.
	 * @param key the key
	 * @param holder the holder of the key, or {@code null} if unknown
	 */
	public LeaseConflicted(JobKey key, @Nullable LeaseHolder holder) {
		this(key, holder, LeaseKind.ofJob(key.job()));
	}

}
