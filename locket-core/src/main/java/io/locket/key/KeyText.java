package io.locket.key;

/**
 * Readable form of a key.
 */
public final class KeyText {

	/**
	 * Number of characters after which a text is cut.
	 */
	public static final int MAX_LENGTH = 200;

	private static final int DIGEST_LENGTH = 12;

	private static final String MASK = "[***]#";

	private KeyText() {
	}

	/**
	 * Returns the canonical text in brackets or parentheses, so that it can follow the
	 * name of a job. An array has brackets already. A long text is cut. Control
	 * characters are escaped in the canonical text already. Masked keys differ by their
	 * digest.
	 * @param canonicalText the canonical text of the key's value
	 * @param digest the digest of the key
	 * @param mask whether to mask the value
	 * @return the readable or masked form
	 */
	static String of(String canonicalText, String digest, boolean mask) {
		if (mask) {
			return mask(digest);
		}
		return cut(canonicalText.startsWith("[") ? canonicalText : "(" + canonicalText + ")");
	}

	static String mask(String digest) {
		return MASK + digest.substring(0, Math.min(DIGEST_LENGTH, digest.length()));
	}

	/**
	 * Cuts a long text, and appends its length.
	 * @param text the text
	 * @return the text, or its first {@value #MAX_LENGTH} characters and its length
	 */
	public static String cut(String text) {
		if (text.length() <= MAX_LENGTH) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
		return text.substring(0, end) + "… (" + text.length() + " characters)";
	}

	static boolean isMasked(String text) {
		return text.startsWith(MASK);
	}

}
