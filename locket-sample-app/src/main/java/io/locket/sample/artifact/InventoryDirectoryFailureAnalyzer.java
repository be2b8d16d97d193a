package io.locket.sample.artifact;

import java.nio.file.Path;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzer of {@link InventoryDirectoryException}.
 */
class InventoryDirectoryFailureAnalyzer extends AbstractFailureAnalyzer<InventoryDirectoryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InventoryDirectoryException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Write an existing directory with *.jar files. A relative path starts at "
						+ Path.of("").toAbsolutePath() + ". Without --inventory.dir the modules of the JDK and the "
						+ "jars of this application are inventoried.",
				cause);
	}

}
