package io.locket.autoconfigure;

import io.locket.autoconfigure.InvalidLocketConfigurationException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes an {@link InvalidLocketConfigurationException}.
 */
class InvalidLocketConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLocketConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLocketConfigurationException cause) {
		StringBuilder description = new StringBuilder(String.format("Properties of Locket cannot work:%n"));
		StringBuilder action = new StringBuilder(String.format("Correct the properties:%n"));
		for (Problem problem : cause.getProblems()) {
			description
				.append(String.format("%n    - %s=%s %s", problem.property(), problem.value(), problem.description()));
			action.append(String.format("%n    - %s: %s", problem.property(), problem.action()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
