package io.locket.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * Description of the machine of a run.
 */
final class Machine {

	private Machine() {
	}

	static String describe(BenchmarkRedis redis, Rounds rounds) {
		String note = System.getProperty("bench.note", "");
		return "%d cores (%s), Redis %s on loopback, Java %s, %s%s,".formatted(
				Runtime.getRuntime().availableProcessors(), processor(), redis.version(), Runtime.version().feature(),
				rounds.description(), note.isEmpty() ? "" : ", " + note);
	}

	private static String processor() {
		try {
			return Files.readString(Path.of("/proc/cpuinfo"))
				.lines()
				.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (IOException ex) {
			return System.getProperty("os.arch");
		}
	}

}
