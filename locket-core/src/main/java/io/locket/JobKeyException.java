package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * Exception for a call that has no key: the key value is {@code null} or empty, an
 * argument cannot be written as JSON, or the key expression failed. The message names the
 * job, the parameter and the remedy. The body has not run.
 */
public class JobKeyException extends IllegalArgumentException {

	/**
	 * Creates an exception.
	 * @param message the message, with job, parameter and remedy
	 * @param cause the cause, or {@code null}
	 */
	public JobKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
