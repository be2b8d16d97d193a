package io.locket.docs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the messages in docs/troubleshooting.md against the texts of the code.
 */
class TroubleshootingTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	@Test
	void messagesThatStopStartUpAreInTheCode() throws IOException {
		String page = Files.readString(ROOT.resolve("docs/troubleshooting.md"));
		String section = page.substring(page.indexOf("## Start-up stops"), page.indexOf("## Dead letters"));
		List<String> messages = new ArrayList<>();
		Pattern.compile("(?m)^\\| `([^`|]+)`")
			.matcher(section)
			.results()
			.forEach((row) -> messages.addAll(List.of(row.group(1).split("\\.\\.\\."))));
		String code = code();
		assertThat(messages).hasSizeGreaterThan(10)
			.allSatisfy((message) -> assertThat(code.contains(message.strip())).as(message).isTrue());
	}

	/**
	 * Returns the sources of all modules, with joined texts.
	 */
	private static String code() throws IOException {
		StringBuilder code = new StringBuilder();
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, "locket-*")) {
			for (Path module : modules) {
				Path sources = module.resolve("src/main/java");
				if (Files.isDirectory(sources)) {
					try (Stream<Path> files = Files.walk(sources)) {
						for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
							code.append(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
						}
					}
				}
			}
		}
		return code.toString();
	}

}
