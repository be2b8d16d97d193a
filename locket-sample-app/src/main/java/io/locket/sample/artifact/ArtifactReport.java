package io.locket.sample.artifact;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of an inspection.
 *
 * @param id the id of the artifact
 * @param name its short name
 * @param kind its kind
 * @param location its location
 * @param version the version in its manifest or module descriptor, or {@code null}
 * @param sha256 the SHA-256 of its content, in lower-case hex; of a module: of the paths
 * and contents of its files, sorted by path
 * @param size its size in bytes; of a module: of its files
 * @param classes the number of its classes
 * @param packages the names of the packages of these classes, sorted
 * @param inspected the time of the inspection
 */
public record ArtifactReport(String id, String name, Artifact.Kind kind, String location, @Nullable String version,
		String sha256, long size, int classes, List<String> packages, Instant inspected) {

}
