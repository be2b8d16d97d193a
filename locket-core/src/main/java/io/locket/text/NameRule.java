package io.locket.text;

/**
 * Rule for names of ASCII letters, digits and punctuation marks. Thread-safe.
 *
 * @param marks the permitted punctuation marks
 * @param longest the maximum number of characters, of which there is at least one
 */
public record NameRule(String marks, int longest) {

	/**
	 * Rule for the ids of jobs and of steps: 1 to 64 letters, digits, '_', '.' and '-'.
	 */
	public static final NameRule ID = new NameRule("_.-", 64);

	/**
	 * Returns whether a name complies with this rule.
	 * @param name the name
	 * @return {@code true} if it does
	 */
	public boolean matches(String name) {
		if (name.isEmpty() || name.length() > this.longest) {
			return false;
		}
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
			if (!plain && this.marks.indexOf(c) < 0) {
				return false;
			}
		}
		return true;
	}

}
