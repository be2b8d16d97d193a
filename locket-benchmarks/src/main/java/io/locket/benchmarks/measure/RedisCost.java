package io.locket.benchmarks.measure;

import io.locket.benchmarks.redis.BenchmarkRedis;
import io.locket.benchmarks.redis.CommandStats;

/**
 * Cost of some work in Redis.
 *
 * @param micros the time in commands of clients, scripts included, in microseconds
 * @param cpuMicros the CPU time of the process, network included, in microseconds
 * @param calls the number of commands of clients
 */
record RedisCost(long micros, long cpuMicros, long calls) {

	static final RedisCost NONE = new RedisCost(0, 0, 0);

	RedisCost plus(RedisCost other) {
		return new RedisCost(this.micros + other.micros, this.cpuMicros + other.cpuMicros, this.calls + other.calls);
	}

	/**
	 * Measurement that has begun.
	 */
	static final class Meter {

		private final BenchmarkRedis redis;

		private final RedisClient client;

		private final long cpuMicros;

		/**
		 * Begins to measure.
		 * @param redis the Redis
		 * @param client the work, which is the only one meanwhile
		 */
		Meter(BenchmarkRedis redis, RedisClient client) {
			this.redis = redis;
			this.client = client;
			redis.resetStatistics();
			this.cpuMicros = redis.cpuMicros();
		}

		/**
		 * Returns the cost until now.
		 */
		RedisCost cost() {
			long cpu = this.redis.cpuMicros() - this.cpuMicros;
			CommandStats stats = this.redis.statistics();
			return this.client.usesRedis() ? new RedisCost(stats.micros(this.client.directCommands()), cpu,
					stats.calls(this.client.directCommands())) : NONE;
		}

	}

}
