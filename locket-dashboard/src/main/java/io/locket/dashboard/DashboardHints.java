package io.locket.dashboard;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for the files that a native image has to contain.
 */
class DashboardHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/locket/dashboard/*.html")
			.registerPattern("io/locket/dashboard/*.js")
			.registerPattern("io/locket/dashboard/*.css")
			.registerPattern("io/locket/dashboard/*.svg")
			.registerPattern("io/locket/dashboard/library/*");
	}

}
