package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * Exception for a lease store that did not reply, or whose reply cannot be trusted, so
 * that it is unknown whether the key is free. This is not a conflict.
 */
public class LeaseUnavailableException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message the operation that failed
	 * @param cause the error of the store, or {@code null}
	 */
	public LeaseUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
