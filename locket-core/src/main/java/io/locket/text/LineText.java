package io.locket.text;

/**
 * Escaping of user text for logs, so that it stays on one line and in its stored order.
 */
public final class LineText {

	private LineText() {
	}

	/**
	 * Escapes characters that could begin a line or reorder one: control characters, line
	 * and paragraph separators, format characters such as those that change the direction
	 * of text, and unpaired surrogates. Other text is returned unchanged.
	 * @param text the text
	 * @return the text with a JSON escape for each of these characters
	 */
	public static String of(String text) {
		if (text.codePoints().noneMatch(LineText::isEscaped)) {
			return text;
		}
		StringBuilder escaped = new StringBuilder(text.length() + 16);
		text.codePoints().forEach((c) -> append(escaped, c));
		return escaped.toString();
	}

	private static boolean isEscaped(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				true;
			default -> false;
		};
	}

	private static void append(StringBuilder text, int c) {
		if (!isEscaped(c)) {
			text.appendCodePoint(c);
			return;
		}
		for (char unit : Character.toChars(c)) {
			text.append(String.format("\\u%04x", (int) unit));
		}
	}

}
