package io.locket.autoconfigure.properties;

/**
 * A store for leases.
 */
public enum LeaseStore {

	/**
	 * Redis, by Locket's own scripts.
	 */
	REDIS,

	/**
	 * The application's {@code LockRegistry} bean, of any kind.
	 */
	LOCK_REGISTRY

}
