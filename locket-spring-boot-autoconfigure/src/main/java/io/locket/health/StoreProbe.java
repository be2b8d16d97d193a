package io.locket.health;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Probe of the store of leases and queues for health checks.
 */
public interface StoreProbe {

	/**
	 * Sends a cheap command to the store, which a store that accepts no writes refuses.
	 * @throws RuntimeException if the store does not respond, or refuses the command
	 */
	void ping();

	/**
	 * Returns the eviction policy of a full store.
	 * @return the name of the policy, or empty if it is unknown
	 */
	Optional<String> evictionPolicy();

	/**
	 * Returns the problem with the eviction policy.
	 * @return a warning, or empty if there is none
	 */
	Optional<String> evictionWarning();

	/**
	 * Returns the version of the store.
	 * @return the version, or empty if it is unknown
	 */
	Optional<String> version();

	/**
	 * Returns the reasons for which Locket cannot work on this store.
	 * @return a text with the remedy for each problem, or an empty list
	 */
	List<String> problems();

	/**
	 * Returns the permissions that the user of the store lacks.
	 * @return permissions in the notation of the store, or an empty set
	 */
	Set<String> missingPermissions();

	/**
	 * Returns whether the store writes each change to a file.
	 * @return {@code true} or {@code false}, or empty if it is unknown
	 */
	Optional<Boolean> appendOnly();

	/**
	 * Returns whether the store recently failed to respond to this probe, so that another
	 * command is pointless. Sends no command.
	 * @return {@code true} if the store is unavailable
	 */
	boolean isUnavailable();

}
