package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseKind;

/**
 * Event for a request for a lease to which the lease store did not reply.
 *
 * @param key the key
 * @param error the description of the store's error
 * @param kind the kind of the lease
 */
public record LeaseUnavailable(JobKey key, String error, LeaseKind kind) implements LeaseEvent {

	/**
	 * Creates the event for a lease of a key.
	 * @param key the key
	 * @param error the description of the store's error
	 */
	public LeaseUnavailable(JobKey key, String error) {
		this(key, error, LeaseKind.ofJob(key.job()));
	}

}
