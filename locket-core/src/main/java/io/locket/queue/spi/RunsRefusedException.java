package io.locket.queue.spi;

import io.locket.queue.QueueUnavailableException;

/**
 * Thrown if a queue refuses to renew several runs by one call, but may renew each of them
 * alone. Nothing was renewed.
 */
public class RunsRefusedException extends QueueUnavailableException {

	/**
	 * Creates an exception.
	 * @param cause the refusal
	 */
	public RunsRefusedException(QueueUnavailableException cause) {
		super(String.valueOf(cause.getMessage()), cause);
	}

}
