package io.locket.sample.artifact;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ArtifactReader} and {@link ArtifactCatalog}.
 */
class ArtifactReaderTests {

	private final ArtifactReader reader = new ArtifactReader();

	@TempDir
	private Path directory;

	@BeforeEach
	void jars() {
		TestJars.write(this.directory);
	}

	@Test
	void artifactsAreJarsOfDirectoryAndJarsInsideThem() throws IOException {
		assertThat(inDirectory()).extracting(Artifact::id)
			.containsExactly("file:fat.jar", "file:fat.jar!/BOOT-INF/lib/inner.jar", "file:one.jar",
					"file:sub/two.jar");
		assertThat(inDirectory()).extracting(Artifact::name)
			.containsExactly("fat.jar", "inner.jar", "one.jar", "two.jar");
	}

	@Test
	void readDescribesJar() throws Exception {
		ArtifactReport report = read("file:one.jar");
		byte[] content = Files.readAllBytes(this.directory.resolve("one.jar"));
		assertThat(report.sha256())
			.isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
		assertThat(report.size()).isEqualTo(content.length);
		assertThat(report.version()).isEqualTo("1.0");
		assertThat(report.classes()).isEqualTo(2);
		assertThat(report.packages()).containsExactly("a.b", "shared");
	}

	@Test
	void readReturnsBundleVersionAndSkipsClassVariants() throws IOException {
		ArtifactReport report = read("file:sub/two.jar");
		assertThat(report.version()).isEqualTo("2.0.0.b7");
		assertThat(report.classes()).isEqualTo(1);
	}

	@Test
	void readDescribesJarInsideJar() throws IOException {
		ArtifactReport report = read("file:fat.jar!/BOOT-INF/lib/inner.jar");
		assertThat(report.packages()).containsExactly("inner");
		assertThat(report.version()).isNull();
		assertThat(read("file:fat.jar").packages()).containsExactly("app");
	}

	@Test
	void readFailsWhenFileIsNoJar() throws IOException {
		Files.writeString(this.directory.resolve("wrong.jar"), "not a jar at all");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> read("file:wrong.jar"))
			.withMessageContaining("wrong.jar is not a jar");
	}

	@Test
	void artifactsAreModulesAndClassPathWhenThereIsNoDirectory() throws IOException {
		List<Artifact> artifacts = new ArtifactCatalog(new ArtifactProperties(null)).artifacts();
		assertThat(artifacts).extracting(Artifact::id).doesNotHaveDuplicates().contains("jrt:java.base");
		assertThat(artifacts).extracting(Artifact::name).anyMatch((name) -> name.startsWith("spring-core-"));
		Artifact base = artifacts.stream().filter((artifact) -> artifact.name().equals("java.base")).findAny().get();
		ArtifactReport report = this.reader.read(base);
		assertThat(report.packages()).contains("java.lang", "java.util");
		assertThat(report.classes()).isGreaterThan(1000);
		assertThat(report.version())
			.isEqualTo(ModuleFinder.ofSystem().find("java.base").get().descriptor().rawVersion().orElse(null));
		assertThat(this.reader.read(base).sha256()).isEqualTo(report.sha256());
	}

	@Test
	void directoryIsRefusedWhenItDoesNotExist() {
		String missing = this.directory.resolve("missing").toString();
		assertThatExceptionOfType(InventoryDirectoryException.class)
			.isThrownBy(() -> new ArtifactCatalog(new ArtifactProperties(missing)))
			.withMessageContaining("'" + missing + "' does not exist");
	}

	@Test
	void directoryIsRefusedWhenItIsFile() {
		String file = this.directory.resolve("readme.txt").toString();
		assertThatExceptionOfType(InventoryDirectoryException.class)
			.isThrownBy(() -> new ArtifactCatalog(new ArtifactProperties(file)))
			.withMessageContaining("is not a directory");
	}

	private ArtifactReport read(String id) throws IOException {
		return this.reader.read(inDirectory().stream().filter((artifact) -> artifact.id().equals(id)).findAny().get());
	}

	private List<Artifact> inDirectory() throws IOException {
		return new ArtifactCatalog(new ArtifactProperties(this.directory.toString())).artifacts();
	}

}
