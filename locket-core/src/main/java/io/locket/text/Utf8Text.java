package io.locket.text;

/**
 * Check for text that UTF-8 stores without loss.
 */
public final class Utf8Text {

	private Utf8Text() {
	}

	/**
	 * Returns whether a text has no unpaired surrogate.
	 * @param text the text
	 * @return whether a text has no unpaired surrogate
	 */
	public static boolean isWellFormed(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (Character.isSurrogate(c)) {
				if (Character.isLowSurrogate(c) || i + 1 == text.length()
						|| !Character.isLowSurrogate(text.charAt(i + 1))) {
					return false;
				}
				i++;
			}
		}
		return true;
	}

}
