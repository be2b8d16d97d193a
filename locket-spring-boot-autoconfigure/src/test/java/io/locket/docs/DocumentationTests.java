package io.locket.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the documentation to what is there.
 */
class DocumentationTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	@Test
	void configurationNamesEveryPropertyAndNoOther() throws IOException {
		Set<String> documented = find("`(locket\\.[a-z.-]+)` \\|", ROOT.resolve("docs/configuration.md"));
		assertThat(documented).isEqualTo(properties());
	}

	private static Set<String> properties() throws IOException {
		JsonNode metadata = new JsonMapper()
			.readTree(Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json")));
		Set<String> names = new TreeSet<>();
		metadata.get("properties").forEach((property) -> names.add(property.get("name").asString()));
		return names;
	}

	@Test
	void everyTestThatParityNamesIsThere() throws IOException {
		Set<String> named = find("`((?:\\w+\\.)*[A-Z]\\w*Tests)`", ROOT.resolve("docs/parity.md"));
		assertThat(named).hasSizeGreaterThan(10);
		assertThat(named).allSatisfy(
				(name) -> assertThat(Path.of("src/test/java/io/locket", name.replace('.', '/') + ".java")).exists());
	}

	@Test
	void everyLinkBetweenPagesLeadsSomewhere() throws IOException {
		try (Stream<Path> pages = Stream.concat(
				Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("CHANGELOG.md")),
				Files.walk(ROOT.resolve("docs")))) {
			for (Path page : pages.filter((path) -> path.toString().endsWith(".md")).toList()) {
				assertThat(find("\\]\\(([^)#:]+)[^):]*\\)", page)).as("links of %s", page)
					.allSatisfy((link) -> assertThat(page.resolveSibling(link)).exists());
			}
		}
	}

	private static Set<String> find(String pattern, Path page) throws IOException {
		return Pattern.compile(pattern)
			.matcher(Files.readString(page))
			.results()
			.map((MatchResult match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
