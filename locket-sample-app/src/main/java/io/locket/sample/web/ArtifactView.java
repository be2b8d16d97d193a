package io.locket.sample.web;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.locket.sample.artifact.Artifact;
import io.locket.sample.artifact.ArtifactReport;
import org.jspecify.annotations.Nullable;

/**
 * An artifact as the outside sees it.
 *
 * @param id the id of the artifact
 * @param name its short name
 * @param kind what it is
 * @param location where it is
 * @param version the version of its manifest or module descriptor, or {@code null}
 * @param sha256 the SHA-256 of its content, in lower-case hex
 * @param size its size in bytes
 * @param classes how many classes it holds
 * @param packages how many packages these classes are in
 * @param sharedPackages the names of those packages that other artifacts have too
 * @param inspected when it was inspected
 */
record ArtifactView(String id, String name, Artifact.Kind kind, String location, @Nullable String version,
		String sha256, long size, int classes, int packages, List<String> sharedPackages, Instant inspected) {

	static ArtifactView of(ArtifactReport report, Map<String, Long> occurrences) {
		List<String> shared = report.packages().stream().filter((name) -> occurrences.get(name) > 1).toList();
		return new ArtifactView(report.id(), report.name(), report.kind(), report.location(), report.version(),
				report.sha256(), report.size(), report.classes(), report.packages().size(), shared, report.inspected());
	}

}
