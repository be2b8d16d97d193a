package io.locket.actuate.descriptor;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * URL-safe form of the start of a page of jobs.
 */
public final class PageCursor {

	private PageCursor() {
	}

	public static @Nullable String write(@Nullable String cursor) {
		return (cursor != null)
				? Base64.getUrlEncoder().withoutPadding().encodeToString(cursor.getBytes(StandardCharsets.UTF_8))
				: null;
	}

	/**
	 * Reads a cursor.
	 * @param text the text
	 * @return the position
	 * @throws IllegalArgumentException if it is invalid
	 */
	public static String read(String text) {
		try {
			return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'" + text + "' is not a cursor of a page of jobs", ex);
		}
	}

}
