package io.locket.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * Tests for the documentation against the code.
 */
class DocumentationTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	@Test
	void configurationNamesEveryPropertyAndNoOther() throws IOException {
		Set<String> documented = find("`((?:management\\.(?:endpoint|health)\\.)?locket\\.[a-z.-]+)` \\|",
				ROOT.resolve("docs/configuration.md"));
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
	void configurationNamesEveryBeanThatMayBeReplaced() throws IOException {
		Set<String> replaceable = new TreeSet<>();
		try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/locket/autoconfigure"))) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
				replaceable
					.addAll(find("@ConditionalOnMissingBean(?:\\s+@\\S+)*\\s+(\\w+)(?:<\\?>)? locket\\w+\\(", file));
				replaceable.addAll(find("@ConditionalOnMissingBean\\((\\w+)\\.class\\)", file));
			}
		}
		replaceable.removeAll(Set.of("InlineWorker", "LeaderLeases", "LeaseSettings"));
		String page = Files.readString(ROOT.resolve("docs/configuration.md"));
		String list = page.substring(page.indexOf("replaces Locket's:"), page.indexOf("A single `JobKeyGenerator`"));
		Set<String> documented = Pattern.compile("`(\\w+)`")
			.matcher(list)
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(documented).isEqualTo(replaceable);
	}

	@Test
	void everyTestThatAPageNamesIsThere() throws IOException {
		List<Path> sources = sources();
		Set<String> named = new TreeSet<>();
		for (Path page : pages()) {
			named.addAll(find("`((?:\\w+\\.)*[A-Z]\\w*Tests(?:\\.\\w+)?)`", page));
		}
		assertThat(named).hasSizeGreaterThan(50);
		named.removeIf((name) -> sources.stream().anyMatch((source) -> holds(source, name)));
		assertThat(named).as("tests that pages name but that do not exist").isEmpty();
	}

	@Test
	void everyLineOfTheLogThatOperationsNamesIsWritten() throws IOException {
		StringBuilder code = new StringBuilder();
		for (Path file : LogTextTests.sources()) {
			code.append(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
		}
		Set<String> rows = find("(?m)^\\| (?:WARN|ERROR) \\| ([^|]+) \\|", ROOT.resolve("docs/operations.md"));
		assertThat(rows).hasSizeGreaterThan(10)
			.allSatisfy((row) -> assertThat(row.split("`, `|`|\\.\\.\\."))
				.allSatisfy((part) -> assertThat(code).contains(part.strip())));
	}

	/**
	 * Returns whether a source has a test class, and its method if the name has one.
	 */
	private static boolean holds(Path source, String name) {
		String type = name.replaceAll("(Tests)\\.\\w+$", "$1");
		if (!source.toString().endsWith("/" + type.replace('.', '/') + ".java")) {
			return false;
		}
		String method = name.substring(type.length());
		try {
			return method.isEmpty() || Files.readString(source).contains("void " + method.substring(1) + "(");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the test sources of all modules.
	 */
	private static List<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, "locket-*")) {
			for (Path module : modules) {
				Path tests = module.resolve("src/test/java/io/locket");
				if (Files.isDirectory(tests)) {
					try (Stream<Path> files = Files.walk(tests)) {
						files.filter((path) -> path.toString().endsWith("Tests.java")).forEach(sources::add);
					}
				}
			}
		}
		return sources;
	}

	/**
	 * Only rows of issue 6 may lack a test.
	 */
	@Test
	void everyRowOfTheParityPageIsShownByATestOrWaitsForAnIssue() throws IOException {
		List<String> rows = Files.readAllLines(ROOT.resolve("docs/parity.md"))
			.stream()
			.filter((line) -> line.startsWith("| ") && !line.endsWith("| shown by |"))
			.toList();
		assertThat(rows).hasSizeGreaterThan(50)
			.allSatisfy((row) -> assertThat(row).containsPattern("\\| [^|]*(?:Tests|issue 6)[^|]* \\|$")
				.doesNotContainPattern("issue [1-5]"));
	}

	@Test
	void everyLinkBetweenPagesLeadsSomewhere() throws IOException {
		for (Path page : pages()) {
			for (String link : find("\\]\\(([^):]+)\\)", page)) {
				String[] parts = link.split("#", 2);
				Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
				assertThat(target).as("link of %s", ROOT.relativize(page)).exists();
				if (parts.length == 2) {
					assertThat(headings(target)).as("headings that %s links", ROOT.relativize(page)).contains(parts[1]);
				}
			}
		}
	}

	/**
	 * Returns the headings of a page in the form that links use.
	 */
	private static Set<String> headings(Path page) throws IOException {
		return find("(?m)^#+ (.*)$", page).stream()
			.map((heading) -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static List<Path> pages() throws IOException {
		try (Stream<Path> pages = Stream.concat(
				Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("CHANGELOG.md")),
				Files.walk(ROOT.resolve("docs")))) {
			return pages.filter((path) -> path.toString().endsWith(".md")).toList();
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
