package io.locket.queue.redis;

import io.locket.queue.QueueUnavailableException;

import org.springframework.core.NestedExceptionUtils;

/**
 * Says what went wrong when Redis was asked, in the words of Redis or of its driver.
 */
final class QueueFailures {

	private QueueFailures() {
	}

	static QueueUnavailableException of(String what, RuntimeException ex) {
		String cause = NestedExceptionUtils.getMostSpecificCause(ex).toString();
		if (cause.contains("OOM command not allowed")) {
			return new QueueUnavailableException("Redis is full (OOM, maxmemory is reached) and refused to: " + what
					+ ". It has done nothing of it. Give it more memory, or let jobs end", ex);
		}
		return new QueueUnavailableException("Redis gave no answer to: " + what + ". " + cause, ex);
	}

}
