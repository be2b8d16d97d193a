package io.locket.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Wrong wall clocks for child processes. Their monotonic clock and the clocks of all
 * other processes are right. Requires {@code libfaketime}.
 */
public final class FakeTime {

	private static final List<Path> DIRECTORIES = List.of(Path.of("/usr/lib/x86_64-linux-gnu/faketime"),
			Path.of("/usr/lib/aarch64-linux-gnu/faketime"), Path.of("/usr/lib64/faketime"),
			Path.of("/usr/lib/faketime"), Path.of("/usr/local/lib/faketime"));

	private FakeTime() {
	}

	/**
	 * Returns the environment that changes the wall clock of a {@link ChildJvm}.
	 * @param ahead the offset into the future
	 * @return variables for its environment
	 */
	public static Map<String, String> ahead(Duration ahead) {
		if (ahead.isZero()) {
			return Map.of();
		}
		// Without the last variable, all waits of a JVM spin.
		return Map.of("LD_PRELOAD", library().toString(), "FAKETIME", String.format("%+ds", ahead.toSeconds()),
				"DONT_FAKE_MONOTONIC", "1", "FAKETIME_FORCE_MONOTONIC_FIX", "0");
	}

	private static Path library() {
		return DIRECTORIES.stream()
			.map((directory) -> directory.resolve("libfaketimeMT.so.1"))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no libfaketime to change the clocks of processes"
					+ " apart. Install it (Debian, Ubuntu: apt-get install faketime)"));
	}

}
