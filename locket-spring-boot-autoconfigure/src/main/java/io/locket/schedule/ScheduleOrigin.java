package io.locket.schedule;

/**
 * Where a schedule comes from, which says when it ends.
 */
public enum ScheduleOrigin {

	/**
	 * From the configuration of the leader: it ends when the configuration of a new
	 * leader does not have it.
	 */
	CONFIGURED,

	/**
	 * Put at run time: it ends when it is removed.
	 */
	PERSISTENT,

	/**
	 * Put at run time by a process, and ends with that at the latest.
	 */
	TRANSIENT

}
