package io.locket.health;

import java.util.Optional;

/**
 * What health wants to know of the store of leases and queues.
 */
public interface StoreProbe {

	/**
	 * Ask the store something that it answers at once.
	 * @throws RuntimeException if it gives no answer
	 */
	void ping();

	/**
	 * Return what the store does when it is full.
	 * @return the name of its policy, or empty if it does not tell
	 */
	Optional<String> evictionPolicy();

	/**
	 * Return what is wrong with that policy.
	 * @return a text, or empty if nothing is
	 */
	Optional<String> evictionWarning();

	/**
	 * Return whether the store keeps each change in a file.
	 * @return {@code true} or {@code false}, or empty if it does not tell
	 */
	Optional<Boolean> appendOnly();

	/**
	 * Return whether the store has given no answer to what it was last asked here, and so
	 * lately that it is not worth asking again. Asks nobody.
	 * @return {@code true} if the store is not there
	 */
	boolean isAway();

}
