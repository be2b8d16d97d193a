package io.locket.sample.artifact;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an inspection found.
 *
 * @param id the id of the artifact
 * @param name its short name
 * @param kind what it is
 * @param location where it is
 * @param version the version of its manifest or module descriptor, or {@code null}
 * @param sha256 the SHA-256 of its content, in lower-case hex; of a module: of the paths
 * and contents of its files, sorted by path
 * @param size its size in bytes; of a module: of its files
 * @param classes how many classes it holds
 * @param packages the names of the packages of these classes, sorted
 * @param inspected when it was inspected
 */
public record ArtifactReport(String id, String name, Artifact.Kind kind, String location, @Nullable String version,
		String sha256, long size, int classes, List<String> packages, Instant inspected) {

}
