package io.locket.event;

import io.locket.JobKey;
import io.locket.LeaseKind;

/**
 * Event of a lease or of a request for one. Also published as an application event.
 */
public sealed interface LeaseEvent extends JobEvent
		permits LeaseAcquired, LeaseConflicted, LeaseReleased, LeaseLost, LeaseForced, LeaseUnavailable {

	/**
	 * Returns the key concerned.
	 * @return the key
	 */
	JobKey key();

	/**
	 * Returns the kind of the lease.
	 * @return the kind
	 */
	LeaseKind kind();

}
