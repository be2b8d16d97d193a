package io.locket.redis;

/**
 * Patterns of Redis for keys and channels.
 */
public final class GlobPattern {

	private GlobPattern() {
	}

	/**
	 * Returns a pattern that only a text matches.
	 * @param text the text
	 * @return the text, with its special characters escaped
	 */
	public static String literal(String text) {
		return text.replaceAll("[*?\\[\\]\\\\]", "\\\\$0");
	}

}
