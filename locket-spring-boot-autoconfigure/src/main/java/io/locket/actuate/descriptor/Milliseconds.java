package io.locket.actuate.descriptor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Conversion of durations for descriptors.
 */
final class Milliseconds {

	private Milliseconds() {
	}

	static @Nullable Long of(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

}
