package io.locket.event;

import io.locket.JobKey;

/**
 * Event of a direct call of a job. Also published as an application event.
 */
public sealed interface CallEvent extends JobEvent permits CallRefused, CallEnded {

	/**
	 * Returns the key of the call.
	 * @return the key
	 */
	JobKey key();

}
