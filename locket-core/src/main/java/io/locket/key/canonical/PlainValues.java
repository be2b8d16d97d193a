package io.locket.key.canonical;

import java.util.List;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

/**
 * Writer of values that need no serializer: short strings, whole numbers, booleans,
 * {@code null}, and short lists of them. It writes the same text as
 * {@link CanonicalGenerator}.
 */
final class PlainValues {

	/**
	 * Maximum number of elements of a list, and of characters of a string.
	 */
	static final int MAX_LENGTH = 256;

	private PlainValues() {
	}

	/**
	 * Writes a value.
	 * @return canonical JSON, or {@code null} if the value needs a serializer
	 */
	static @Nullable String write(@Nullable Object value) {
		return (value instanceof List<?> list && isPlain(list)) ? ofList(list) : ofScalar(value);
	}

	/**
	 * Returns whether a list is one of the JDK. Annotations may change how any other list
	 * is written.
	 */
	private static boolean isPlain(List<?> list) {
		return list instanceof RandomAccess && list.getClass().getModule() == List.class.getModule()
				&& list.size() <= MAX_LENGTH;
	}

	private static @Nullable String ofList(List<?> list) {
		StringBuilder text = new StringBuilder("[");
		for (int i = 0; i < list.size(); i++) {
			String element = ofScalar(list.get(i));
			if (element == null) {
				return null;
			}
			text.append((i > 0) ? "," : "").append(element);
		}
		return text.append(']').toString();
	}

	private static @Nullable String ofScalar(@Nullable Object value) {
		if (value instanceof String text) {
			return (text.length() <= MAX_LENGTH) ? CanonicalText.ofString(text) : null;
		}
		if (value == null || value instanceof Long || value instanceof Integer || value instanceof Boolean) {
			return String.valueOf(value);
		}
		return null;
	}

}
