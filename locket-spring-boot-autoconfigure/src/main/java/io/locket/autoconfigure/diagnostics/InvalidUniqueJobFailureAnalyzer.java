package io.locket.autoconfigure.diagnostics;

import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.InvalidUniqueJobException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzer of {@link InvalidUniqueJobException}.
 */
class InvalidUniqueJobFailureAnalyzer extends AbstractFailureAnalyzer<InvalidUniqueJobException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidUniqueJobException cause) {
		StringBuilder description = new StringBuilder(
				String.format("Methods annotated with @UniqueJob are declared in a way that cannot work:%n"));
		StringBuilder action = new StringBuilder(String.format("Correct the declarations:%n"));
		for (Problem problem : cause.getProblems()) {
			description.append(String.format("%n    - %s: %s", problem.subject(), problem.description()));
			action.append(String.format("%n    - %s: %s", problem.subject(), problem.action()));
		}
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
