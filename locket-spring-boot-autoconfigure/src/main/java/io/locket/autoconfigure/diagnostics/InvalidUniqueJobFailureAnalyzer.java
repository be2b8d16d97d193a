package io.locket.autoconfigure.diagnostics;

import io.locket.job.definition.InvalidUniqueJobException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzer of {@link InvalidUniqueJobException}.
 */
class InvalidUniqueJobFailureAnalyzer extends AbstractFailureAnalyzer<InvalidUniqueJobException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidUniqueJobException cause) {
		ListedProblems listed = new ListedProblems(
				"Methods annotated with @UniqueJob are declared in a way that cannot work:",
				"Correct the declarations:");
		cause.getProblems()
			.forEach((problem) -> listed.add(problem.subject() + ": " + problem.description(), problem.subject(),
					problem.action()));
		return listed.analysis(cause);
	}

}
