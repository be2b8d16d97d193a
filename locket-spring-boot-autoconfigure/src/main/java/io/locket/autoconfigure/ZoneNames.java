package io.locket.autoconfigure;

import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds the time zones that somebody may have meant.
 */
final class ZoneNames {

	private static final int MOST = 3;

	private ZoneNames() {
	}

	/**
	 * Return what an abbreviation of three letters means, or the zones whose names, or
	 * the ends of whose names, are nearly the same.
	 * @param name what was written
	 * @return at most three zones, the most similar first
	 */
	static List<String> near(String name) {
		String meant = ZoneId.SHORT_IDS.get(name.toUpperCase(Locale.ROOT));
		if (meant != null) {
			return List.of(meant);
		}
		return ZoneId.getAvailableZoneIds()
			.stream()
			.map((zone) -> new Candidate(zone, Math.min(distance(name, zone), distance(city(name), city(zone)))))
			.filter((candidate) -> candidate.distance() <= 1 + city(name).length() / 4)
			.sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::zone))
			.limit(MOST)
			.map(Candidate::zone)
			.toList();
	}

	private static String city(String zone) {
		return zone.substring(zone.lastIndexOf('/') + 1);
	}

	/**
	 * How many letters have to be put in, left out or changed.
	 */
	private static int distance(String one, String other) {
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
	 * A zone, and how far its name is from what was written.
	 */
	private record Candidate(String zone, int distance) {

	}

}
