package io.locket.benchmarks.result;

/**
 * Latency of a variant, over the samples of all rounds.
 *
 * @param variant the name of the variant
 * @param p50 the median in milliseconds
 * @param p99 the 99th percentile in milliseconds
 */
public record Delay(String variant, double p50, double p99) {

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
