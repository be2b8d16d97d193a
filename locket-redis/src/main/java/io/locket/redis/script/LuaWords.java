package io.locket.redis.script;

/**
 * Names, keywords and numbers of Lua, in their order. The content of texts is left out.
 * Not thread-safe.
 */
final class LuaWords {

	private final String text;

	private int start;

	private int end;

	LuaWords(String text) {
		this.text = text;
	}

	/**
	 * Goes to the next word.
	 * @return whether there is one
	 */
	boolean next() {
		int i = this.end;
		while (i < this.text.length() && !isPartOfWord(this.text.charAt(i))) {
			i = (this.text.charAt(i) == '\'') ? endOfText(i) : i + 1;
		}
		this.start = i;
		while (i < this.text.length() && isPartOfWord(this.text.charAt(i))) {
			i++;
		}
		this.end = i;
		return this.start < this.end;
	}

	/**
	 * Returns the index after a text, or after its quote if the text does not end.
	 */
	private int endOfText(int quote) {
		for (int i = quote + 1; i < this.text.length(); i++) {
			char character = this.text.charAt(i);
			if (character == '\'') {
				return i + 1;
			}
			if (character == '\n') {
				break;
			}
			if (character == '\\') {
				i++;
			}
		}
		return quote + 1;
	}

	private static boolean isPartOfWord(char character) {
		return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
				|| character >= '0' && character <= '9' || character == '_';
	}

	String word() {
		return this.text.substring(this.start, this.end);
	}

	int start() {
		return this.start;
	}

	int end() {
		return this.end;
	}

	/**
	 * Returns whether the word is the name of a field of a table.
	 */
	boolean isField() {
		return this.start > 0 && this.text.charAt(this.start - 1) == '.';
	}

	/**
	 * Returns whether a value is assigned to the word alone.
	 */
	boolean isAssigned() {
		return this.text.startsWith(" = ", this.end);
	}

}
