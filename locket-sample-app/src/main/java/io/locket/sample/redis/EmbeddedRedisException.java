package io.locket.sample.redis;

import org.jspecify.annotations.Nullable;

/**
 * There is no embedded Redis to work with.
 */
class EmbeddedRedisException extends RuntimeException {

	EmbeddedRedisException(String message) {
		this(message, null);
	}

	EmbeddedRedisException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
