package io.locket.worker.reservation;

/**
 * Reason for the end of a wait in {@link IdleSlots}.
 */
public enum Wake {

	/**
	 * A notification, or another slot that may have left work.
	 */
	NOTIFIED,

	/**
	 * A poll of all queues, or of what is due, is to be made.
	 */
	POLL_DUE,

	/**
	 * The deadline has passed.
	 */
	TIMED_OUT,

	/**
	 * The worker stops.
	 */
	CLOSED

}
