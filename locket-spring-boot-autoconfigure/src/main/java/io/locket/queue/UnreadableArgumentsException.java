package io.locket.queue;

/**
 * The stored arguments of a job cannot be read into the parameter types of its method.
 * Says which argument and why, and never what it is.
 */
public class UnreadableArgumentsException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message which argument, and why
	 */
	public UnreadableArgumentsException(String message) {
		super(message);
	}

}
