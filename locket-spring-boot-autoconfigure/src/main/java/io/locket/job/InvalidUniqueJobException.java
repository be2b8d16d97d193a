package io.locket.job;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Jobs are declared in a way that cannot work. Carries every problem that was found, so
 * that one start shows all of them.
 */
public class InvalidUniqueJobException extends RuntimeException {

	private final transient List<Problem> problems;

	/**
	 * Create an exception.
	 * @param problems what is wrong, at least one problem
	 */
	public InvalidUniqueJobException(List<Problem> problems) {
		super(ordered(problems).map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = ordered(problems).toList();
	}

	private static Stream<Problem> ordered(List<Problem> problems) {
		return problems.stream().sorted(Comparator.comparing(Problem::subject));
	}

	/**
	 * Return what is wrong, in the order of the beans and methods concerned.
	 * @return the problems
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * One thing that is wrong.
	 *
	 * @param subject the bean and method concerned
	 * @param description what is wrong
	 * @param action what to write instead
	 */
	public record Problem(String subject, String description, String action) {

		@Override
		public String toString() {
			return this.subject + ": " + this.description + " " + this.action;
		}

	}

}
