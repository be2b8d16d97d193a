package io.locket.queue;

import java.util.regex.Pattern;

/**
 * What a queue may be called: 1 to 100 letters and digits of ASCII, dots, underscores,
 * hyphens and colons.
 */
public final class QueueNames {

	/**
	 * The rule in words, to end a sentence with.
	 */
	public static final String RULE = "1 to 100 letters, digits, '.', '_', '-' and ':'";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

	private QueueNames() {
	}

	/**
	 * Return whether a queue may have a name.
	 * @param name the name
	 * @return {@code true} if it is well formed
	 */
	public static boolean isValid(String name) {
		return NAME.matcher(name).matches();
	}

	/**
	 * Check the name of a queue.
	 * @param name the name
	 * @return the name
	 * @throws IllegalArgumentException if no queue may have it
	 */
	public static String require(String name) {
		if (!isValid(name)) {
			throw new IllegalArgumentException(
					"'" + name.replaceAll("\\p{Cntrl}", "?") + "' is no name of a queue: write " + RULE);
		}
		return name;
	}

}
