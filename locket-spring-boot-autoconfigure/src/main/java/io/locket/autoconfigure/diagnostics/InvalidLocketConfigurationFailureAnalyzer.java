package io.locket.autoconfigure.diagnostics;

import java.util.List;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Analyzer of {@link InvalidLocketConfigurationException}.
 */
public class InvalidLocketConfigurationFailureAnalyzer
		extends AbstractFailureAnalyzer<InvalidLocketConfigurationException> {

	private final WrittenValues written;

	public InvalidLocketConfigurationFailureAnalyzer(Environment environment) {
		this.written = new WrittenValues(environment);
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLocketConfigurationException cause) {
		return analysis(cause.getProblems(), this.written, cause);
	}

	/**
	 * Creates an analysis.
	 * @param problems the problems
	 * @param written the values as they are written in the configuration
	 * @param cause the failure
	 */
	static FailureAnalysis analysis(List<Problem> problems, WrittenValues written, Throwable cause) {
		StringBuilder description = new StringBuilder(String.format("Locket is configured with invalid properties:%n"));
		StringBuilder action = new StringBuilder(String.format("Correct the properties:%n"));
		for (Problem problem : problems) {
			description.append(String.format("%n    - %s %s", written.describe(problem), problem.description()));
			action.append(String.format("%n    - %s: %s", problem.property(), problem.action()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
