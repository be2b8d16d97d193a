package io.locket.queue;

import org.jspecify.annotations.Nullable;

/**
 * The store of the queue gave no answer. Whether it did what it was asked is not known;
 * the same call may be repeated with the same ids.
 */
public class QueueUnavailableException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what was asked
	 * @param cause the failure of the store
	 */
	public QueueUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
