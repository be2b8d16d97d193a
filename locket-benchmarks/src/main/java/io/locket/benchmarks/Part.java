package io.locket.benchmarks;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.measure.Rounds;
import io.locket.benchmarks.redis.BenchmarkRedis;

/**
 * A benchmark that can be run alone.
 */
@FunctionalInterface
interface Part {

	/**
	 * Runs the benchmark.
	 * @param redis the Redis of the run, empty
	 * @param rounds runs variants in turns
	 * @param report takes the results
	 */
	void run(BenchmarkRedis redis, Rounds rounds, Report report);

}
