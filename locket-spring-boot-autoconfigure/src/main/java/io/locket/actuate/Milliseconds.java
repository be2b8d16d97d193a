package io.locket.actuate;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Durations as descriptors have them.
 */
final class Milliseconds {

	private Milliseconds() {
	}

	static @Nullable Long of(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

}
