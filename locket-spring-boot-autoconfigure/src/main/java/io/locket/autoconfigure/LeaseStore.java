package io.locket.autoconfigure;

/**
 * Where leases are kept.
 */
public enum LeaseStore {

	/**
	 * Redis, by scripts of Locket's own.
	 */
	REDIS,

	/**
	 * The application's {@code LockRegistry} bean, whichever it is.
	 */
	LOCK_REGISTRY

}
