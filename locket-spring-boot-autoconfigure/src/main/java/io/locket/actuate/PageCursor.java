package io.locket.actuate;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * Where a page of jobs begins, written so that it can be put into an address as it is.
 */
final class PageCursor {

	private PageCursor() {
	}

	static @Nullable String write(@Nullable String cursor) {
		return (cursor != null)
				? Base64.getUrlEncoder().withoutPadding().encodeToString(cursor.getBytes(StandardCharsets.UTF_8))
				: null;
	}

	/**
	 * Read a cursor.
	 * @throws IllegalArgumentException if it is none
	 */
	static String read(String text) {
		try {
			return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'" + text + "' is no cursor of a page of jobs", ex);
		}
	}

}
