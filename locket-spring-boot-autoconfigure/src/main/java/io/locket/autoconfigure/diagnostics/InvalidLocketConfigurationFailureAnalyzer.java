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
		ListedProblems listed = new ListedProblems("Locket is configured with invalid properties:",
				"Correct the properties:");
		problems.forEach((problem) -> listed.add(written.describe(problem) + " " + problem.description(),
				problem.property(), problem.action()));
		return listed.analysis(cause);
	}

}
