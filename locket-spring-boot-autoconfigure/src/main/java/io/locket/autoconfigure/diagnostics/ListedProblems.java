package io.locket.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Builder of a failure analysis that lists problems and their corrections.
 */
public final class ListedProblems {

	private final StringBuilder description;

	private final StringBuilder action;

	/**
	 * Creates a builder without problems.
	 * @param description the line above the problems
	 * @param action the line above the corrections
	 */
	public ListedProblems(String description, String action) {
		this.description = new StringBuilder(String.format("%s%n", description));
		this.action = new StringBuilder(String.format("%s%n", action));
	}

	/**
	 * Adds a problem.
	 * @param problem the problem
	 * @param subject what has to be corrected
	 * @param correction the correction
	 */
	public void add(String problem, String subject, String correction) {
		this.description.append(String.format("%n    - %s", problem));
		this.action.append(String.format("%n    - %s: %s", subject, correction));
	}

	/**
	 * Creates the analysis.
	 * @param cause the failure
	 * @return the analysis of all problems that have been added
	 */
	public FailureAnalysis analysis(Throwable cause) {
		return new FailureAnalysis(this.description.toString(), this.action.toString(), cause);
	}

}
