package io.locket.queue;

import java.util.Objects;

import io.locket.text.LineText;
import io.locket.text.NameRule;

/**
 * Rule for the names of queues: 1 to 100 ASCII letters and digits, dots, underscores,
 * hyphens and colons, but not {@code "."} or {@code ".."}.
 */
public final class QueueNames {

	private static final NameRule NAME = new NameRule("._-:", 100);

	/**
	 * Text of the rule, for the end of a message.
	 */
	public static final String RULE = NAME.toString();

	private QueueNames() {
	}

	/**
	 * Returns whether a name is a valid queue name.
	 * @param name the name
	 * @return {@code true} if it is valid
	 */
	public static boolean isValid(String name) {
		return NAME.matches(name);
	}

	/**
	 * Checks that a name is a valid queue name.
	 * @param name the name
	 * @return the name
	 * @throws IllegalArgumentException if it is not valid
	 */
	public static String require(String name) {
		Objects.requireNonNull(name, "'queue' must not be null");
		if (!isValid(name)) {
			throw new IllegalArgumentException("'" + LineText.of(name) + "' is not a valid queue name: use " + RULE);
		}
		return name;
	}

}
