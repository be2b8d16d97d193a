package io.locket.autoconfigure.diagnostics;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Search for known names that are similar to an unknown one.
 */
public final class NearNames {

	private static final int MOST = 3;

	private NearNames() {
	}

	/**
	 * Returns the known names that differ in few letters.
	 * @param name the unknown name
	 * @param known the known names
	 * @return at most three names, the most similar first
	 */
	public static List<String> of(String name, Collection<String> known) {
		int farthest = 1 + name.length() / 4;
		return known.stream()
			.map((candidate) -> new Candidate(candidate, distance(name, candidate)))
			.filter((candidate) -> candidate.distance() <= farthest)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
			.limit(MOST)
			.map(Candidate::name)
			.toList();
	}

	/**
	 * Returns a suggestion for an error message.
	 * @param name the unknown name
	 * @param known the known names
	 * @return a question that ends with a space, or an empty text if no name is similar
	 */
	public static String suggestion(String name, Collection<String> known) {
		List<String> near = of(name, known);
		return near.isEmpty() ? "" : "Did you mean '" + String.join("' or '", near) + "'? ";
	}

	/**
	 * Returns the number of letters to insert, delete or replace, ignoring case.
	 * @param one a name
	 * @param other another name
	 * @return the number of letters to insert, delete or replace, ignoring case
	 */
	public static int distance(String one, String other) {
		String from = one.toLowerCase(Locale.ROOT);
		String to = other.toLowerCase(Locale.ROOT);
		int[] costs = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			costs[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = costs[0];
			costs[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int changed = diagonal + ((from.charAt(i - 1) != to.charAt(j - 1)) ? 1 : 0);
				diagonal = costs[j];
				costs[j] = Math.min(changed, 1 + Math.min(costs[j], costs[j - 1]));
			}
		}
		return costs[to.length()];
	}

	/**
	 * A known name and its distance from the unknown one.
	 */
	private record Candidate(String name, int distance) {

	}

}
