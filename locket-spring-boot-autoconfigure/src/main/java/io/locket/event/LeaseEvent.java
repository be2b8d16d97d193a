package io.locket.event;

import io.locket.JobKey;

/**
 * Something that happened to a lease or to a call that asked for one. Published as an
 * application event too.
 */
public sealed interface LeaseEvent extends JobEvent
		permits LeaseAcquired, LeaseConflicted, LeaseReleased, LeaseLost, LeaseForced, LeaseUnavailable {

	/**
	 * Return the key concerned.
	 * @return the key
	 */
	JobKey key();

}
