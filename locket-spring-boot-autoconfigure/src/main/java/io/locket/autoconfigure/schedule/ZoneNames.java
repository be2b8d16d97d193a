package io.locket.autoconfigure.schedule;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.locket.autoconfigure.diagnostics.NearNames;

/**
 * Search for the time zones that are similar to an unknown one.
 */
final class ZoneNames {

	private static final int MOST = 3;

	private ZoneNames() {
	}

	/**
	 * Returns the zone of a three-letter abbreviation, or the zones with similar names,
	 * or those of a city without its continent.
	 * @param name the unknown name
	 * @return at most three zones, the most similar first
	 */
	static List<String> near(String name) {
		String meant = ZoneId.SHORT_IDS.get(name.toUpperCase(Locale.ROOT));
		if (meant != null) {
			return List.of(meant);
		}
		Set<String> zones = ZoneId.getAvailableZoneIds();
		List<String> near = NearNames.of(name, zones);
		return !near.isEmpty() ? near
				: zones.stream()
					.filter((zone) -> city(zone).equalsIgnoreCase(city(name)))
					.sorted()
					.limit(MOST)
					.toList();
	}

	private static String city(String zone) {
		return zone.substring(zone.lastIndexOf('/') + 1);
	}

}
