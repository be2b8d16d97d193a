package io.locket.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds how many values a tag has: those that come when there are as many already share
 * one. A value that was let in once always is, and one that was not never is.
 * Thread-safe.
 */
final class TagValues {

	static final int MAX_VALUES = 1000;

	static final String OTHER = "(other)";

	private final Map<String, Set<String>> values = new ConcurrentHashMap<>();

	/**
	 * Return the value to use for another one.
	 * @param tag the key of the tag
	 * @param value the value
	 * @return the value itself, or {@link #OTHER} if the tag has too many
	 */
	String bounded(String tag, String value) {
		Set<String> known = this.values.computeIfAbsent(tag, (key) -> ConcurrentHashMap.newKeySet());
		// Asked before: nothing comes to a set that is full.
		boolean full = known.size() >= MAX_VALUES;
		if (known.contains(value)) {
			return value;
		}
		return (!full && add(known, value)) ? value : OTHER;
	}

	private static boolean add(Set<String> known, String value) {
		synchronized (known) {
			return known.contains(value) || (known.size() < MAX_VALUES && known.add(value));
		}
	}

}
