package io.locket.worker;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of a queued job do not fit the method that is to run it. No other attempt
 * would fare better.
 */
public class UnreadableArgumentsException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what does not fit
	 * @param cause why, or {@code null}
	 */
	public UnreadableArgumentsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
