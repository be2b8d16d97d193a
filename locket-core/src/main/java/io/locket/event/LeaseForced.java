package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.LeaseKind;

/**
 * Event for a lease that was taken from its holder by force. Published by the process
 * that did it; the holder's own process publishes a {@link LeaseLost}.
 *
 * @param key the key; only its digest is known if the holder left no record
 * @param holder the former holder
 * @param kind the kind of the lease; {@code FOREIGN} for a lock whose holder left no
 * record, which may be one of the application's own {@code LockRegistry}
 */
public record LeaseForced(JobKey key, LeaseHolder holder, LeaseKind kind) implements LeaseEvent {

	/**
	 * Creates the event for a lease of a key.
	 * @param key the key
	 * @param holder the former holder
	 */
	public LeaseForced(JobKey key, LeaseHolder holder) {
		this(key, holder, holder.isForeign() ? LeaseKind.FOREIGN : LeaseKind.ofJob(key.job()));
	}

}
