package io.locket.benchmarks.result;

/**
 * Latency of a variant, over the samples of all rounds, and what a sample costs in Redis.
 *
 * @param variant the name of the variant
 * @param p50 the median in milliseconds
 * @param p99 the 99th percentile in milliseconds
 * @param redisMicros the time of Redis for a sample in microseconds, 0 without Redis
 * @param redisCpuMicros the CPU time of the Redis process for a sample, network included,
 * in microseconds
 * @param calls the commands of clients for a sample
 */
public record Delay(String variant, double p50, double p99, double redisMicros, double redisCpuMicros, double calls) {

	/**
	 * Returns whether the variant is one of Locket.
	 * @return whether it is
	 */
	public boolean isLocket() {
		return Figures.isLocket(this.variant);
	}

	/**
	 * Returns whether the variant is another product.
	 * @return whether it is neither Locket nor a floor
	 */
	public boolean isPeer() {
		return Figures.isPeer(this.variant);
	}

}
