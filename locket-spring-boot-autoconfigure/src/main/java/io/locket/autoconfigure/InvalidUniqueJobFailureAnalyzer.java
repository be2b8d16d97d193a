package io.locket.autoconfigure;

import io.locket.job.InvalidUniqueJobException;
import io.locket.job.InvalidUniqueJobException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes an {@link InvalidUniqueJobException}.
 */
class InvalidUniqueJobFailureAnalyzer extends AbstractFailureAnalyzer<InvalidUniqueJobException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidUniqueJobException cause) {
		StringBuilder description = new StringBuilder(
				String.format("Methods with @UniqueJob cannot be guarded as they are declared:%n"));
		StringBuilder action = new StringBuilder(String.format("Correct the declarations:%n"));
		for (Problem problem : cause.getProblems()) {
			description.append(String.format("%n    - %s: %s", problem.subject(), problem.description()));
			action.append(String.format("%n    - %s: %s", problem.subject(), problem.action()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
