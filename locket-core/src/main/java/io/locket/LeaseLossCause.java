package io.locket;

/**
 * Reason for the loss of a lease.
 */
public enum LeaseLossCause {

	/**
	 * Redis could not be reached before the lease may have expired.
	 */
	UNREACHABLE,

	/**
	 * Another owner holds the key.
	 */
	TAKEN,

	/**
	 * The key is gone: it expired, was released by force, or Redis lost its data.
	 */
	GONE

}
