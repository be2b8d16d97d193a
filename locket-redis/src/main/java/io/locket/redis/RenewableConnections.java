package io.locket.redis;

/**
 * Connections that are closed and opened again when they are dead. Thread-safe.
 */
public interface RenewableConnections {

	/**
	 * Adds an action that runs after each renewal, on a thread that it may block.
	 * @param action the action, for example a new subscription
	 */
	void addRenewalAction(Runnable action);

	/**
	 * Removes an action. An action that was never added is ignored.
	 * @param action the action
	 */
	void removeRenewalAction(Runnable action);

}
