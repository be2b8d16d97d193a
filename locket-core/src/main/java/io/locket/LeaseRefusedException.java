package io.locket;

/**
 * Exception for a lease that cannot be taken although no holder is known. Either the
 * application context is closed, or a lock registry refuses a key that is free in its
 * store. This is neither a conflict nor an outage of the store, so the body never runs
 * unguarded.
 */
public class LeaseRefusedException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message the reason
	 */
	public LeaseRefusedException(String message) {
		super(message);
	}

}
