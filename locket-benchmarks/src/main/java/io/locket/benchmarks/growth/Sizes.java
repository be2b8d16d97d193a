package io.locket.benchmarks.growth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Sizes that a benchmark compares, from a system property.
 */
final class Sizes {

	private Sizes() {
	}

	static List<Integer> of(String property, String standard) {
		return Arrays.stream(System.getProperty(property, standard).split(",")).map(Integer::valueOf).toList();
	}

	static String text(int size) {
		return String.format(Locale.ROOT, "%,d", size);
	}

}
