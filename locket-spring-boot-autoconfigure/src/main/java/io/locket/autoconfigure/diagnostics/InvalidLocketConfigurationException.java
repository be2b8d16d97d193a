package io.locket.autoconfigure.diagnostics;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Exception for invalid values of properties. It carries every problem that was found.
 */
public class InvalidLocketConfigurationException extends RuntimeException {

	private final transient List<Problem> problems;

	/**
	 * Creates an exception.
	 * @param problems the problems, at least one
	 */
	public InvalidLocketConfigurationException(List<Problem> problems) {
		super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Creates an exception.
	 * @param problem the only problem
	 */
	public InvalidLocketConfigurationException(Problem problem) {
		this(List.of(problem));
	}

	/**
	 * Returns the problems.
	 * @return the problems
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * An invalid property.
	 *
	 * @param property the name of the property
	 * @param value its value, or {@code null} if the problem is a missing value
	 * @param description the problem
	 * @param action the correction
	 */
	public record Problem(String property, @Nullable Object value, String description, String action) {

		@Override
		public String toString() {
			return subject(this.value) + " " + this.description + " " + this.action;
		}

		/**
		 * Returns the property with a value, if it has one.
		 */
		String subject(@Nullable Object shown) {
			if (shown == null) {
				return this.property;
			}
			return this.property + "="
					+ ((shown instanceof Duration duration) ? PropertyProblems.text(duration) : shown);
		}

	}

}
