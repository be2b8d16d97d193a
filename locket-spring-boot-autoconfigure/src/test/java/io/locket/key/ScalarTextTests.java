package io.locket.key;

import java.io.File;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ScalarText}.
 */
class ScalarTextTests {

	private final CanonicalJson json = new CanonicalJson();

	@Test
	void pathsDoNotDependOnTheFileSystem(@TempDir Path directory) throws Exception {
		Path path = directory.resolve("in");
		String text = this.json.write(path);
		Files.createDirectory(path);
		assertThat(this.json.write(path)).isEqualTo(text)
			.isEqualTo(this.json.write(path.toFile()))
			.isEqualTo(this.json.write(path.toString()));
	}

	@Test
	void pathsDoNotDependOnTheWorkingDirectory() {
		assertIsWritten(Path.of("in/../a b"), "in/../a b");
		assertIsWritten(new File("in/../a b"), "in/../a b");
	}

	@Test
	void pathsOfOtherFileSystemsAreRefused(@TempDir Path directory) throws Exception {
		try (FileSystem zip = FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
			assertIsRefused(zip.getPath("/in"));
		}
	}

	private void assertIsWritten(Object value, String text) {
		String expected = this.json.write(text);
		assertThat(this.json.write(value)).isEqualTo(expected);
		assertThat(this.json.write(List.of(value))).isEqualTo("[" + expected + "]");
		assertThat(this.json.write(new Holder(value))).isEqualTo("{\"value\":" + expected + "}");
		assertThat(this.json.write(Map.of(value, 1))).isEqualTo("{" + expected + ":1}");
	}

	private void assertIsRefused(Object value) {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(value))
			.withMessage("a " + value.getClass().getTypeName() + " in it has a text that does not tell all of it");
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(Map.of(value, 1)));
	}

	record Holder(Object value) {
	}

}
