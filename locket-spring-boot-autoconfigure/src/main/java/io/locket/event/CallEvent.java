package io.locket.event;

import io.locket.JobKey;

/**
 * Something that happened to a direct call of a job. Published as an application event
 * too.
 */
public sealed interface CallEvent extends JobEvent permits CallRefused, CallEnded {

	/**
	 * Return the key of the call.
	 * @return the key
	 */
	JobKey key();

}
