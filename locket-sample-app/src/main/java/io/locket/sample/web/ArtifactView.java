package io.locket.sample.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReport;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of an artifact.
 *
 * @param id the id of the artifact
 * @param name its short name
 * @param kind its kind
 * @param location its location
 * @param version the version in its manifest or module descriptor, or {@code null}
 * @param sha256 the SHA-256 of its content, in lower-case hex
 * @param size its size in bytes
 * @param classes the number of its classes
 * @param packages the number of packages of these classes
 * @param sharedPackages the names of the packages that other artifacts have as well
 * @param inspected the time of the inspection
 */
record ArtifactView(String id, String name, Artifact.Kind kind, String location, @Nullable String version,
		String sha256, long size, int classes, int packages, List<String> sharedPackages, Instant inspected) {

	static ArtifactView of(ArtifactReport report, Map<String, Long> occurrences) {
		List<String> shared = report.packages()
			.stream()
			.filter((name) -> occurrences.getOrDefault(name, 0L) > 1)
			.toList();
		return new ArtifactView(report.id(), report.name(), report.kind(), report.location(), report.version(),
				report.sha256(), report.size(), report.classes(), report.packages().size(), shared, report.inspected());
	}

}
