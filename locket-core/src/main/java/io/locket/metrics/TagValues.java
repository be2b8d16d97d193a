package io.locket.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bound on the number of values of a tag. Values beyond the bound share one value. The
 * decision for a value never changes. Thread-safe.
 */
final class TagValues {

	static final int MAX_VALUES = 1000;

	static final String OTHER = "(other)";

	private final Map<String, Set<String>> values = new ConcurrentHashMap<>();

	/**
	 * Returns the value to use as a tag.
	 * @param tag the key of the tag
	 * @param value the value
	 * @return the value itself, or {@link #OTHER} if the tag has too many values
	 */
	String bounded(String tag, String value) {
		Set<String> known = known(tag);
		if (known.contains(value)) {
			return value;
		}
		// A full set never changes.
		boolean included = (known.size() >= MAX_VALUES) ? known.contains(value) : add(known, value);
		return included ? value : OTHER;
	}

	private Set<String> known(String tag) {
		Set<String> known = this.values.get(tag);
		return (known != null) ? known : this.values.computeIfAbsent(tag, (key) -> ConcurrentHashMap.newKeySet());
	}

	private static boolean add(Set<String> known, String value) {
		synchronized (known) {
			return known.contains(value) || (known.size() < MAX_VALUES && known.add(value));
		}
	}

}
