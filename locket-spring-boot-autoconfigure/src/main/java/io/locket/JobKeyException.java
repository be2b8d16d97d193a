package io.locket;

import org.jspecify.annotations.Nullable;

/**
 * No key can be made of a call: its result is {@code null} or empty, an argument cannot
 * be written as JSON, or the key expression failed. The message names the job, the
 * parameter and the remedy. The body has not run.
 */
public class JobKeyException extends IllegalArgumentException {

	/**
	 * Create an exception.
	 * @param message job, parameter and remedy
	 * @param cause the error below, or {@code null}
	 */
	public JobKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
