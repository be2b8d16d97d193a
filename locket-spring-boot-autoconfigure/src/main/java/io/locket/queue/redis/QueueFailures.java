package io.locket.queue.redis;

import io.locket.queue.QueueUnavailableException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;

/**
 * Says what went wrong when Redis was asked, in the words of Redis or of its driver.
 */
final class QueueFailures {

	private QueueFailures() {
	}

	static QueueUnavailableException of(String what, RuntimeException ex) {
		Throwable reason = NestedExceptionUtils.getMostSpecificCause(ex);
		String cause = reason.toString();
		if (cause.contains("OOM command not allowed")) {
			return new QueueUnavailableException("Redis is full (OOM, maxmemory is reached) and refused to: " + what
					+ ". It has done nothing of it. Give it more memory, or let jobs end", ex);
		}
		if (isErrorReply(reason.getClass())) {
			return new QueueUnavailableException("Redis refused to: " + what + ". " + cause, ex);
		}
		if (!(ex instanceof DataAccessException)) {
			return new QueueUnavailableException(
					"What Redis answered to this could not be read: " + what + ". " + cause, ex);
		}
		return new QueueUnavailableException(
				"Redis gave no answer to: " + what + ". " + cause + ". Is it where spring.data.redis.* says?", ex);
	}

	/**
	 * Return whether an exception of Lettuce or Jedis stands for an error that Redis
	 * replied with. Neither driver has to be there.
	 */
	private static boolean isErrorReply(Class<?> type) {
		for (Class<?> one = type; one != null; one = one.getSuperclass()) {
			String name = one.getSimpleName();
			if (name.equals("RedisCommandExecutionException") || name.equals("JedisDataException")) {
				return true;
			}
		}
		return false;
	}

}
