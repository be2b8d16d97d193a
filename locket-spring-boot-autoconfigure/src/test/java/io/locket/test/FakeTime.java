package io.locket.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Processes whose wall clock is wrong, while their monotonic clock and the clocks of all
 * other processes are right: by {@code libfaketime}, where that is installed.
 */
public final class FakeTime {

	private static final List<Path> DIRECTORIES = List.of(Path.of("/usr/lib/x86_64-linux-gnu/faketime"),
			Path.of("/usr/lib/aarch64-linux-gnu/faketime"), Path.of("/usr/lib64/faketime"),
			Path.of("/usr/lib/faketime"), Path.of("/usr/local/lib/faketime"));

	private FakeTime() {
	}

	/**
	 * Return what sets the wall clock of a {@link ChildJvm}.
	 * @param ahead how far it is ahead
	 * @return variables for its environment
	 */
	public static Map<String, String> ahead(Duration ahead) {
		if (ahead.isZero()) {
			return Map.of();
		}
		// Without the last one every wait of a JVM spins.
		return Map.of("LD_PRELOAD", library().toString(), "FAKETIME", String.format("%+ds", ahead.toSeconds()),
				"DONT_FAKE_MONOTONIC", "1", "FAKETIME_FORCE_MONOTONIC_FIX", "0");
	}

	private static Path library() {
		return DIRECTORIES.stream()
			.map((directory) -> directory.resolve("libfaketimeMT.so.1"))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no libfaketime, which sets the clocks of processes"
					+ " apart. Install it (Debian, Ubuntu: apt-get install faketime)"));
	}

}
