package io.locket.lease.redis;

/**
 * Wait of the caller of an acquire.
 */
enum Waiting {

	/**
	 * The caller does not wait.
	 */
	NONE,

	/**
	 * The caller waits, and no other caller of its process.
	 */
	ALONE,

	/**
	 * Other callers of the process wait too, so the release of the lease has to wake
	 * them.
	 */
	BEFORE_OTHERS

}
