package io.locket.redis;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Failure to get a connection: the command was not sent, so Redis has not executed it.
 */
public final class NotConnectedException extends RedisConnectionFailureException {

	/**
	 * Creates an exception.
	 * @param cause the failure of the driver
	 */
	public NotConnectedException(RuntimeException cause) {
		super(String.valueOf(cause.getMessage()), cause);
	}

}
