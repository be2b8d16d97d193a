package io.locket;

/**
 * No lease can be had although nobody is known to hold the key: the application context
 * is closed, or a lock registry refuses a key that is free in its store. Neither a
 * conflict nor a store without an answer, so that nothing ever runs instead.
 */
public class LeaseRefusedException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message why no lease can be had
	 */
	public LeaseRefusedException(String message) {
		super(message);
	}

}
