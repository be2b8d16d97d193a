package io.locket.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Properties have values that cannot work. Carries every problem that was found.
 */
public class InvalidLocketConfigurationException extends RuntimeException {

	private final transient List<Problem> problems;

	/**
	 * Create an exception.
	 * @param problems what is wrong, at least one problem
	 */
	public InvalidLocketConfigurationException(List<Problem> problems) {
		super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Return what is wrong.
	 * @return the problems
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * One property that is wrong.
	 *
	 * @param property the name of the property
	 * @param value its value
	 * @param description what is wrong
	 * @param action what to write instead
	 */
	public record Problem(String property, String value, String description, String action) {

		@Override
		public String toString() {
			return this.property + "=" + this.value + " " + this.description + " " + this.action;
		}

	}

}
