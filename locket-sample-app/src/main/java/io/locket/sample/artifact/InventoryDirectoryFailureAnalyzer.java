package io.locket.sample.artifact;

import java.nio.file.Path;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what {@code inventory.dir} must be.
 */
class InventoryDirectoryFailureAnalyzer extends AbstractFailureAnalyzer<InventoryDirectoryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InventoryDirectoryException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Give a directory that exists; it is looked through for *.jar. A relative one starts at "
						+ Path.of("").toAbsolutePath() + ". Without --inventory.dir the modules of the JDK and the "
						+ "jars of this application are inventoried.",
				cause);
	}

}
