package io.locket.autoconfigure.diagnostics;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/**
 * Collector of invalid properties.
 */
public final class PropertyProblems {

	private static final Duration SHORTEST_DURATION = Duration.ofMillis(1);

	private static final Duration LONGEST_DURATION = Duration.ofDays(36500);

	private static final List<ChronoUnit> UNITS = List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES,
			ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS);

	/**
	 * A duration without a unit. Zero needs none.
	 */
	private static final Pattern WITHOUT_UNIT = Pattern.compile("\\s*[+-]?0*[1-9]\\d*\\s*");

	/**
	 * A key in brackets that Spring Boot also reads without them.
	 */
	private static final Pattern BRACKETED = Pattern.compile("\\[([^].]*\\p{Alnum}[^].]*)]");

	private final @Nullable Binder binder;

	private final List<Problem> problems = new ArrayList<>();

	/**
	 * Creates an empty collection for values whose texts are not known.
	 */
	public PropertyProblems() {
		this(null);
	}

	/**
	 * Creates an empty collection.
	 * @param environment the configuration with the texts of the values, or {@code null}
	 * if it is not known
	 */
	public PropertyProblems(@Nullable Environment environment) {
		this.binder = (environment != null) ? Binder.get(environment) : null;
	}

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
	 * Checks that a duration has a unit, and is between 1 ms and 36500 days.
	 * @param property the name of the property
	 * @param duration its value
	 * @param example a valid value
	 * @return {@code true} if it is valid
	 */
	public boolean checkDuration(String property, Duration duration, String example) {
		if (!checkUnit(property, example)) {
			return false;
		}
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
	 * Checks that a duration has a unit, and is within bounds.
	 * @param property the name of the property
	 * @param duration its value
	 * @param shortest the minimum
	 * @param longest the maximum
	 * @return {@code true} if it is valid
	 */
	public boolean checkRange(String property, Duration duration, Duration shortest, Duration longest) {
		if (!checkUnit(property, null)) {
			return false;
		}
		if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
			add(property, duration, "is not between " + text(shortest) + " and " + text(longest) + ".",
					"Write a duration from " + text(shortest) + " to " + text(longest) + ".");
			return false;
		}
		return true;
	}

	private boolean checkUnit(String property, @Nullable String example) {
		String text = written(property);
		return text == null || checkUnit(property, text, (example != null) ? example : text.trim() + "s");
	}

	/**
	 * Returns the text of a value. Spring Boot does not find a key that is written
	 * without brackets by its name in brackets, unless it is in lower case.
	 */
	private @Nullable String written(String property) {
		if (this.binder == null) {
			return null;
		}
		String plain = BRACKETED.matcher(property)
			.replaceAll((key) -> "." + key.group(1).replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT));
		return this.binder.bind(property, String.class)
			.orElseGet(() -> this.binder.bind(plain, String.class).orElse(null));
	}

	/**
	 * Checks that the text of a duration has a unit.
	 * @param property the name of the property
	 * @param text its value as written
	 * @param example a valid value
	 * @return {@code true} if it has a unit, or is zero
	 */
	public boolean checkUnit(String property, String text, String example) {
		if (WITHOUT_UNIT.matcher(text).matches()) {
			add(property, text.trim(), "has no unit and would be read as milliseconds.",
					"Write a duration with its unit, such as " + example + ".");
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
