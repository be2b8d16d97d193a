package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * The lease store gave no answer, or none that can be trusted, so that nobody knows
 * whether the key is free. Not a conflict.
 */
public class LeaseUnavailableException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what was asked of the store
	 * @param cause the store's error, or {@code null}
	 */
	public LeaseUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
