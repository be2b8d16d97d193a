package io.locket.benchmarks.redis;

import java.util.Set;

import io.lettuce.core.ScriptOutputType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BenchmarkRedis}.
 */
class BenchmarkRedisTests {

	/**
	 * Checks that the CPU time has at least a part of the time of a script that only
	 * computes, and no more than the elapsed time.
	 */
	@Test
	void cpuTimeIsThatOfTheProcess() {
		try (BenchmarkRedis redis = BenchmarkRedis.start()) {
			redis.resetStatistics();
			long before = redis.cpuMicros();
			long started = System.nanoTime();
			redis.connect()
				.sync()
				.eval("local n = 0; for i = 1, 3000000 do n = n + i % 7 end; return n", ScriptOutputType.INTEGER);
			long cpu = redis.cpuMicros() - before;
			assertThat(cpu).isGreaterThan(redis.statistics().micros(Set.of()) / 10)
				.isLessThanOrEqualTo((System.nanoTime() - started) / 1000);
		}
	}

}
