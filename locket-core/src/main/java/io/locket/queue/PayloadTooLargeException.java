package io.locket.queue;

/**
 * Exception thrown when the arguments of a job exceed the maximum payload size. The job
 * was not enqueued.
 */
public class PayloadTooLargeException extends IllegalArgumentException {

	/**
	 * Creates an exception.
	 * @param message the message, with job, size and limit
	 */
	public PayloadTooLargeException(String message) {
		super(message);
	}

}
