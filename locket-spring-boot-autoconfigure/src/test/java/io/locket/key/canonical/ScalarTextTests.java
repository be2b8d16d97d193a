package io.locket.key.canonical;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

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

	@Test
	@SuppressWarnings("deprecation")
	void localesAreWrittenByTheirTagIfItIsComplete() {
		assertIsWritten(Locale.GERMANY, "de-DE");
		assertIsWritten(Locale.ROOT, "und");
		assertIsWritten(Locale.forLanguageTag("zh-Hant-TW"), "zh-Hant-TW");
		assertIsWritten(new Locale("ja", "JP", "JP"), "ja-JP-u-ca-japanese-x-lvariant-JP");
		assertIsRefused(new Locale("en_US"));
		assertIsRefused(new Locale("de_DE"));
		assertIsRefused(new Locale("no", "NO", "NY"));
	}

	@Test
	void addressesAreWrittenWithoutTheirNames() throws Exception {
		assertIsWritten(InetAddress.getByAddress("db", new byte[] { 10, 0, 0, 1 }), "10.0.0.1");
		assertIsWritten(InetAddress.getByAddress("db", new byte[] { 10, 0, 0, 2 }), "10.0.0.2");
		assertIsWritten(InetAddress.getByName("::1"), "0:0:0:0:0:0:0:1");
		InetAddress named = InetAddress.getByAddress("db", new byte[] { 10, 0, 0, 1 });
		assertIsWritten(new InetSocketAddress(named, 80), "10.0.0.1:80");
		assertIsWritten(new InetSocketAddress(InetAddress.getByName("::1"), 80), "[0:0:0:0:0:0:0:1]:80");
		assertIsWritten(InetSocketAddress.createUnresolved("Db.example", 80), "db.example:80");
	}

	@Test
	void patternsAreWrittenIfTheyHaveNoFlagsOfTheirOwn() {
		assertIsWritten(Pattern.compile("a+"), "a+");
		assertIsWritten(Pattern.compile("(?i)a+"), "(?i)a+");
		assertIsRefused(Pattern.compile("a+", Pattern.CASE_INSENSITIVE));
		assertIsRefused(Pattern.compile("(", Pattern.LITERAL));
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
			.withMessage("a " + value.getClass().getTypeName()
					+ " in it has a text that does not represent its whole value");
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> this.json.write(Map.of(value, 1)));
	}

	record Holder(Object value) {
	}

}
