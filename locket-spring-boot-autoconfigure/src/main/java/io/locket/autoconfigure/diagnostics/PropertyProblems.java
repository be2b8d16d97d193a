package io.locket.autoconfigure.diagnostics;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;

import org.springframework.boot.convert.DurationStyle;

/**
 * Collector of invalid properties.
 */
public final class PropertyProblems {

	private static final Duration SHORTEST_DURATION = Duration.ofMillis(1);

	private static final Duration LONGEST_DURATION = Duration.ofDays(36500);

	private static final List<ChronoUnit> UNITS = List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES,
			ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS);

	private final List<Problem> problems = new ArrayList<>();

	/**
	 * Adds a property, unless the same problem has been added before.
	 * @param property the property
	 * @param value its value
	 * @param description the problem
	 * @param action the correction
	 */
	public void add(String property, Object value, String description, String action) {
		Problem problem = new Problem(property, value, description, action);
		if (!this.problems.contains(problem)) {
			this.problems.add(problem);
		}
	}

	/**
	 * Adds a property that has no value.
	 * @param property the property
	 * @param description the problem
	 * @param action the correction
	 */
	public void addMissing(String property, String description, String action) {
		this.problems.add(new Problem(property, null, description, action));
	}

	/**
	 * Throws an exception with all problems, if there are any.
	 * @throws InvalidLocketConfigurationException if a problem has been added
	 */
	public void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new InvalidLocketConfigurationException(this.problems);
		}
	}

	/**
	 * Checks that a duration is between 1 ms and 36500 days.
	 * @param property the name of the property
	 * @param duration its value
	 * @param example a valid value
	 * @return {@code true} if it is valid
	 */
	public boolean checkDuration(String property, Duration duration, String example) {
		if (duration.compareTo(SHORTEST_DURATION) < 0) {
			add(property, duration, "is shorter than 1ms.", "Write a longer duration, such as " + example + ".");
			return false;
		}
		if (duration.compareTo(LONGEST_DURATION) > 0) {
			add(property, duration, "is longer than 36500 days.", "Write a shorter duration, such as " + example + ".");
			return false;
		}
		return true;
	}

	/**
	 * Checks that a duration is within bounds.
	 * @param property the name of the property
	 * @param duration its value
	 * @param shortest the minimum
	 * @param longest the maximum
	 * @return {@code true} if it is valid
	 */
	public boolean checkRange(String property, Duration duration, Duration shortest, Duration longest) {
		if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
			add(property, duration, "is not between " + text(shortest) + " and " + text(longest) + ".",
					"Write a duration from " + text(shortest) + " to " + text(longest) + ".");
			return false;
		}
		return true;
	}

	/**
	 * Checks that a number is within bounds.
	 * @param property the name of the property
	 * @param number its value
	 * @param least the minimum
	 * @param most the maximum
	 */
	public void checkRange(String property, int number, int least, int most) {
		if (number < least || number > most) {
			add(property, number, "is not between " + least + " and " + most + ".",
					"Write a number from " + least + " to " + most + ".");
		}
	}

	/**
	 * Checks that a number is not negative.
	 * @param property the name of the property
	 * @param number its value
	 */
	public void checkNotNegative(String property, int number) {
		if (number < 0) {
			add(property, number, "is negative.", "Write 0 or more.");
		}
	}

	/**
	 * Returns a duration as Spring Boot reads it: a number with the largest unit that is
	 * exact. Spring Boot does not read several units, as in {@code 1m15s}.
	 * @param duration the duration
	 * @return for example {@code 75s}
	 */
	public static String text(Duration duration) {
		if (duration.isZero()) {
			return "0s";
		}
		ChronoUnit exact = UNITS.stream()
			.filter((unit) -> duration.truncatedTo(unit).equals(duration))
			.findFirst()
			.orElse(ChronoUnit.NANOS);
		return DurationStyle.SIMPLE.print(duration, exact);
	}

}
