package io.locket.text;

import java.util.stream.Collectors;

/**
 * Rule for names of ASCII letters, digits and punctuation marks. The names {@code "."}
 * and {@code ".."} are refused, because clients remove them from the path of an address.
 * Thread-safe.
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
	 * Rule for the digests of keys, which are parts of names and of values in Redis: 1 to
	 * 255 letters, digits, '_', '.' and '-'.
	 */
	public static final NameRule DIGEST = new NameRule("_.-", 255);

	/**
	 * Returns whether a name complies with this rule.
	 * @param name the name
	 * @return {@code true} if it does
	 */
	public boolean matches(String name) {
		if (name.isEmpty() || name.length() > this.longest || isSegmentOfPaths(name)) {
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

	private static boolean isSegmentOfPaths(String name) {
		return name.equals(".") || name.equals("..");
	}

	/**
	 * Checks that a name complies with this rule.
	 * @param what the subject of the message, such as "The id of a job"
	 * @param name the name
	 * @throws IllegalArgumentException if it does not
	 */
	public void require(String what, String name) {
		if (!matches(name)) {
			throw new IllegalArgumentException(what + " has " + this + ", and is '" + LineText.of(name) + "'");
		}
	}

	/**
	 * Describes the rule, such as "1 to 10 letters, digits, '_' and '-'".
	 */
	@Override
	public String toString() {
		String all = this.marks.chars().mapToObj((c) -> ", '" + (char) c + "'").collect(Collectors.joining());
		int last = all.lastIndexOf(", ");
		return "1 to " + this.longest + " letters, digits" + all.substring(0, last) + " and" + all.substring(last + 1)
				+ ((this.marks.indexOf('.') < 0) ? "" : ", but not '.' or '..'");
	}

}
