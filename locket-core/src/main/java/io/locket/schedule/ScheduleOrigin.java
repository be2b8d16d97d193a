package io.locket.schedule;

/**
 * Origin of a schedule, which determines its lifetime.
 */
public enum ScheduleOrigin {

	/**
	 * From the configuration of the leader. It ends when a new leader is configured
	 * without it.
	 */
	CONFIGURED,

	/**
	 * Put at run time. It ends when it is removed.
	 */
	PERSISTENT,

	/**
	 * Put at run time by a process. It ends with that process at the latest.
	 */
	TRANSIENT

}
