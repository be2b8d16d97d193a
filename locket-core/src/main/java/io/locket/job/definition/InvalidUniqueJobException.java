package io.locket.job.definition;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Exception thrown at start-up when jobs are declared in an unsupported way. It contains
 * all problems found, so that one start reports them all.
 */
public class InvalidUniqueJobException extends RuntimeException {

	private final transient List<Problem> problems;

	/**
	 * Creates an exception.
	 * @param problems the problems, at least one
	 */
	public InvalidUniqueJobException(List<Problem> problems) {
		super(ordered(problems).map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = ordered(problems).toList();
	}

	private static Stream<Problem> ordered(List<Problem> problems) {
		return problems.stream().sorted(Comparator.comparing(Problem::subject));
	}

	/**
	 * Returns the problems, in the order of the affected beans and methods.
	 * @return the problems
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * Problem of one declaration.
	 *
	 * @param subject the affected bean and method
	 * @param description the problem
	 * @param action the remedy
	 */
	public record Problem(String subject, String description, String action) {

		@Override
		public String toString() {
			return this.subject + ": " + this.description + " " + this.action;
		}

	}

}
