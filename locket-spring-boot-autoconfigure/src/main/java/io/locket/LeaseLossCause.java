package io.locket;

/**
 * Why a lease was lost.
 */
public enum LeaseLossCause {

	/**
	 * Redis could not be reached until the lease may have expired.
	 */
	UNREACHABLE,

	/**
	 * Someone else owns the key.
	 */
	TAKEN,

	/**
	 * The key is gone: it expired, was released by force, or Redis lost its data.
	 */
	GONE

}
