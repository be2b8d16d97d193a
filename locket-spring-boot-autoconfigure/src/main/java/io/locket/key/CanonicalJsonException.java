package io.locket.key;

import org.jspecify.annotations.Nullable;

/**
 * A value has no canonical JSON. The message tells why by types only, never by values, so
 * that it may be shown for masked arguments too. The cause may tell values.
 */
class CanonicalJsonException extends RuntimeException {

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
		return new CanonicalJsonException("a " + type.getTypeName() + " has no properties that tell its value");
	}

	static CanonicalJsonException lossy(Class<?> type) {
		return new CanonicalJsonException("a " + type.getTypeName() + " in it has a text that does not tell all of it");
	}

	static CanonicalJsonException tooDeep(int bound) {
		return new CanonicalJsonException("it contains itself or nests deeper than " + bound + " levels");
	}

}
