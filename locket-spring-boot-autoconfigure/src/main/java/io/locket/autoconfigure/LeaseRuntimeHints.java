package io.locket.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for the scripts, which are read from the class path.
 */
class LeaseRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/locket/lease/*.lua");
		hints.resources().registerPattern("io/locket/queue/redis/*.lua");
		hints.resources().registerPattern("io/locket/schedule/redis/*.lua");
	}

}
