package io.locket.autoconfigure.diagnostics;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzer of {@link InvalidLocketConfigurationException}.
 */
public class InvalidLocketConfigurationFailureAnalyzer
		extends AbstractFailureAnalyzer<InvalidLocketConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLocketConfigurationException cause) {
		StringBuilder description = new StringBuilder(String.format("Locket is configured with invalid properties:%n"));
		StringBuilder action = new StringBuilder(String.format("Correct the properties:%n"));
		for (Problem problem : cause.getProblems()) {
			description.append(String.format("%n    - %s %s", problem.subject(), problem.description()));
			action.append(String.format("%n    - %s: %s", problem.property(), problem.action()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
