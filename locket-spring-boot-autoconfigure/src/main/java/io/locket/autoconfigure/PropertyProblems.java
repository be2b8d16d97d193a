package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.autoconfigure.InvalidLocketConfigurationException.Problem;

/**
 * Collects the properties whose values cannot work.
 */
final class PropertyProblems {

	private static final Duration LONGEST_DURATION = Duration.ofDays(36500);

	private final List<Problem> problems = new ArrayList<>();

	void add(String property, Object value, String description, String action) {
		this.problems.add(new Problem(property, value.toString(), description, action));
	}

	void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new InvalidLocketConfigurationException(this.problems);
		}
	}

	/**
	 * Check that a duration is positive, and not absurd.
	 * @param property the name of the property
	 * @param duration its value
	 * @param example a value that works
	 * @return {@code true} if it can work
	 */
	boolean checkDuration(String property, Duration duration, String example) {
		if (duration.toSeconds() <= 0 && duration.compareTo(Duration.ofMillis(1)) < 0) {
			add(property, text(duration), "is not a positive time.",
					"Write a duration of 1ms or more, such as " + example + ".");
			return false;
		}
		if (duration.compareTo(LONGEST_DURATION) > 0) {
			add(property, text(duration), "is longer than 36500 days.",
					"Write a shorter one, such as " + example + ".");
			return false;
		}
		return true;
	}

	/**
	 * Check that a duration is within bounds.
	 * @param property the name of the property
	 * @param duration its value
	 * @param shortest the shortest that works
	 * @param longest the longest that works
	 * @return {@code true} if it can work
	 */
	boolean checkRange(String property, Duration duration, Duration shortest, Duration longest) {
		if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
			add(property, text(duration), "is not between " + text(shortest) + " and " + text(longest) + ".",
					"Write a duration from " + text(shortest) + " to " + text(longest) + ".");
			return false;
		}
		return true;
	}

	/**
	 * Check that a number is within bounds.
	 * @param property the name of the property
	 * @param number its value
	 * @param least the smallest that works
	 * @param most the largest that works
	 */
	void checkRange(String property, int number, int least, int most) {
		if (number < least || number > most) {
			add(property, number, "is not between " + least + " and " + most + ".",
					"Write a number from " + least + " to " + most + ".");
		}
	}

	/**
	 * Check that a number is not negative.
	 * @param property the name of the property
	 * @param number its value
	 */
	void checkNotNegative(String property, int number) {
		if (number < 0) {
			add(property, number, "is negative.", "Write 0 or more.");
		}
	}

	static String text(Duration duration) {
		if (duration.compareTo(LONGEST_DURATION) > 0) {
			return duration.toString();
		}
		if (!duration.isZero() && duration.equals(Duration.ofDays(duration.toDays()))) {
			return duration.toDays() + "d";
		}
		return (duration.toMillisPart() != 0 || duration.isZero()) ? duration.toMillis() + "ms"
				: duration.toSeconds() + "s";
	}

}
