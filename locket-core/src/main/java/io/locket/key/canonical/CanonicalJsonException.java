package io.locket.key.canonical;

import org.jspecify.annotations.Nullable;

/**
 * Exception for a value without canonical JSON. The message gives the reason by types
 * only, never by values, so it may be shown for masked arguments too. The cause may
 * contain values.
 */
public class CanonicalJsonException extends RuntimeException {

	CanonicalJsonException(String reason) {
		this(reason, null);
	}

	CanonicalJsonException(String reason, @Nullable Throwable cause) {
		super(reason, cause);
	}

	static CanonicalJsonException oneShot(Class<?> type) {
		return new CanonicalJsonException(
				"a " + type.getTypeName() + " can be read only once or has no value yet, so it cannot count");
	}

	static CanonicalJsonException opaque(Class<?> type) {
		return new CanonicalJsonException("a " + type.getTypeName() + " has no properties that represent its value");
	}

	static CanonicalJsonException lossy(Class<?> type) {
		return new CanonicalJsonException(
				"a " + type.getTypeName() + " in it has a text that does not represent its whole value");
	}

	static CanonicalJsonException tooDeep(int bound) {
		return new CanonicalJsonException("it contains itself or nests deeper than " + bound + " levels");
	}

}
