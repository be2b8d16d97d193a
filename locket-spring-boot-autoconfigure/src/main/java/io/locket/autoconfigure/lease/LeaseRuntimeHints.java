package io.locket.autoconfigure.lease;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the scripts on the class path, and for the field that
 * {@link LettuceServer} reads.
 */
class LeaseRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/locket/**/*.lua");
		hints.reflection()
			.registerTypeIfPresent(classLoader,
					"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
					(type) -> type.withField(LettuceServer.FIELD));
	}

}
