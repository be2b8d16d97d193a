package io.locket.autoconfigure.lease;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the scripts on the class path.
 */
class LeaseRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/locket/redis/*.lua");
		hints.resources().registerPattern("io/locket/lease/redis/*.lua");
		hints.resources().registerPattern("io/locket/queue/redis/*.lua");
		hints.resources().registerPattern("io/locket/queue/redis/turn/*.lua");
		hints.resources().registerPattern("io/locket/queue/redis/work/*.lua");
		hints.resources().registerPattern("io/locket/schedule/redis/*.lua");
	}

}
