package io.locket.queue;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when the store of the queue does not reply. The outcome of the call is
 * unknown. The call may be repeated with the same ids.
 */
public class QueueUnavailableException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message the message, with the call that failed
	 * @param cause the failure of the store
	 */
	public QueueUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
