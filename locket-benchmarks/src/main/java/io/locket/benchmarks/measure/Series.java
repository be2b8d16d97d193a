package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Costs of several variants over several rounds, and the medians of them.
 */
public final class Series {

	private final Map<String, List<Usage>> usages = new LinkedHashMap<>();

	void add(String variant, Usage usage) {
		this.usages.computeIfAbsent(variant, (name) -> new ArrayList<>()).add(usage);
	}

	/**
	 * Returns the variants.
	 * @return the names, in the order of the first round
	 */
	public Set<String> variants() {
		return this.usages.keySet();
	}

	/**
	 * Returns the median of a figure over all rounds.
	 * @param variant the name of the variant
	 * @param figure the figure of a round
	 * @return the median
	 */
	public double median(String variant, ToDoubleFunction<Usage> figure) {
		return median(of(variant).stream().mapToDouble(figure).toArray());
	}

	/**
	 * Returns the median over all rounds of the ratio between two variants in one round.
	 * @param variant the name of the variant
	 * @param reference the name of the variant to compare with
	 * @param figure the figure of a round
	 * @return the median
	 */
	public double ratio(String variant, String reference, ToDoubleFunction<Usage> figure) {
		List<Usage> ours = of(variant);
		List<Usage> theirs = of(reference);
		double[] ratios = new double[ours.size()];
		for (int i = 0; i < ratios.length; i++) {
			ratios[i] = figure.applyAsDouble(ours.get(i)) / figure.applyAsDouble(theirs.get(i));
		}
		return median(ratios);
	}

	private List<Usage> of(String variant) {
		List<Usage> found = this.usages.get(variant);
		if (found == null) {
			throw new IllegalArgumentException("No variant '" + variant + "' among " + variants());
		}
		return found;
	}

	/**
	 * Returns the median of some figures.
	 * @param figures the figures, at least one
	 * @return the median
	 */
	public static double median(double... figures) {
		double[] sorted = figures.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
