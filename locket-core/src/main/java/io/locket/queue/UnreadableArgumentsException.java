package io.locket.queue;

/**
 * Exception thrown when the stored arguments of a job cannot be read into the parameter
 * types of its method. The message names the argument and the reason, never its value.
 */
public class UnreadableArgumentsException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message the message, with argument and reason
	 */
	public UnreadableArgumentsException(String message) {
		super(message);
	}

}
