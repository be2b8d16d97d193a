package io.locket.queue;

/**
 * The arguments of a job are larger than a queue takes. The job was not enqueued.
 */
public class PayloadTooLargeException extends IllegalArgumentException {

	/**
	 * Create an exception.
	 * @param message job, size and bound
	 */
	public PayloadTooLargeException(String message) {
		super(message);
	}

}
