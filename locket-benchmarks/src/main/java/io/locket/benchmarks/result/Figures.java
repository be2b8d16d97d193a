package io.locket.benchmarks.result;

import java.util.List;

/**
 * Figures of a variant: medians over all rounds.
 *
 * @param variant the name of the variant
 * @param rate the rate, as a multiple of the reference
 * @param redisRatio the time of Redis, as a multiple of the reference
 * @param redisMicros the time of Redis for an operation, in microseconds
 * @param redisCpuMicros the CPU time of Redis for an operation, in microseconds
 * @param calls the number of commands of clients for an operation
 * @param cpuMicros the CPU time of the client for an operation, in microseconds
 * @param perSecond the number of operations a second
 * @param peers the figures as multiples of those of each peer, empty unless the variant
 * is one of Locket
 */
public record Figures(String variant, double rate, double redisRatio, double redisMicros, double redisCpuMicros,
		double calls, double cpuMicros, double perSecond, List<Multiples> peers) {

	/**
	 * Creates figures.
	 */
	public Figures {
		peers = List.copyOf(peers);
	}

	/**
	 * Returns whether the variant is one of Locket.
	 * @return whether it is
	 */
	public boolean isLocket() {
		return isLocket(this.variant);
	}

	/**
	 * Returns whether the variant is another product.
	 * @return whether it is neither Locket nor a floor
	 */
	public boolean isPeer() {
		return isPeer(this.variant);
	}

	/**
	 * Returns whether a variant is one of Locket.
	 * @param variant the name of the variant
	 * @return whether it is
	 */
	public static boolean isLocket(String variant) {
		return variant.startsWith("Locket");
	}

	/**
	 * Returns whether a variant is another product.
	 * @param variant the name of the variant
	 * @return whether it is neither Locket nor a floor
	 */
	public static boolean isPeer(String variant) {
		return !isLocket(variant) && !variant.startsWith("floor");
	}

}
