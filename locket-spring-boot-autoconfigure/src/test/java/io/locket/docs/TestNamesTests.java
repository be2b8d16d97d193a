package io.locket.docs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tests of a class are where a reader expects them: under the name of the
 * class and in its package, or in the list {@code tested-elsewhere.txt}. The rule is for
 * classes of 40 lines or more in the published modules.
 */
class TestNamesTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Set<String> UNPUBLISHED = Set.of("locket-benchmarks", "locket-examples",
			"locket-examples-kotlin", "locket-sample-app");

	private static final Path LIST = Path.of("src/test/resources/io/locket/docs/tested-elsewhere.txt");

	private static final int LINES = 40;

	/**
	 * Entry of a type that only holds values.
	 */
	private static final String VALUE = "value";

	/**
	 * Main sources of the published modules, by the full name of their type.
	 */
	private static final Map<String, String> MAIN = new TreeMap<>();

	/**
	 * Full names of the test classes of all modules.
	 */
	private static final Set<String> TESTS = new TreeSet<>();

	private static final Map<String, List<String>> ELSEWHERE = new TreeMap<>();

	@BeforeAll
	static void read() throws IOException {
		try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, "locket-*")) {
			for (Path module : modules) {
				TESTS.addAll(sources(module.resolve("src/test/java")).keySet());
				if (!UNPUBLISHED.contains(module.getFileName().toString())) {
					MAIN.putAll(sources(module.resolve("src/main/java")));
				}
			}
		}
		String section = "";
		for (String line : Files.readAllLines(LIST)) {
			if (line.startsWith("[")) {
				section = line.substring(1, line.length() - 1);
			}
			else if (!line.isEmpty() && !line.startsWith("#")) {
				String[] entry = line.split(": ", 2);
				assertThat(ELSEWHERE.put(section + "." + entry[0], List.of(entry[1].split(" ")))).as(line).isNull();
			}
		}
	}

	@Test
	void classHasATestUnderItsNameOrAnEntry() {
		Set<String> expected = new TreeSet<>();
		MAIN.forEach((name, source) -> {
			if (source.lines().count() >= LINES && !TESTS.contains(name + "Tests")) {
				expected.add(name);
			}
		});
		assertThat(MAIN).hasSizeGreaterThan(500);
		assertThat(without(expected, ELSEWHERE.keySet())).as("classes without a test or an entry").isEmpty();
		assertThat(without(ELSEWHERE.keySet(), expected)).as("entries without need").isEmpty();
	}

	private static Set<String> without(Set<String> names, Set<String> others) {
		Set<String> rest = new TreeSet<>(names);
		rest.removeAll(others);
		return rest;
	}

	@Test
	void testsOfTheEntriesExist() {
		Set<String> tests = new TreeSet<>();
		TESTS.forEach((name) -> tests.add(name.substring(name.lastIndexOf('.') + 1)));
		ELSEWHERE.forEach((name, entry) -> assertThat(entry).as(name)
			.isNotEmpty()
			.allMatch((test) -> test.equals(VALUE) ? entry.size() == 1 : tests.contains(test)));
	}

	@Test
	void valuesAreTypesThatOnlyHoldValues() {
		ELSEWHERE.forEach((name, entry) -> {
			if (entry.contains(VALUE)) {
				String simple = name.substring(name.lastIndexOf('.') + 1);
				Pattern kind = Pattern.compile("(enum|record|@interface) " + simple + "\\b");
				assertThat(simple.endsWith("Exception") || simple.endsWith("Properties")
						|| kind.matcher(MAIN.get(name)).find())
					.as(name)
					.isTrue();
			}
		});
	}

	/**
	 * Returns the sources below a directory by the full names of their types.
	 */
	private static Map<String, String> sources(Path directory) throws IOException {
		Map<String, String> sources = new TreeMap<>();
		if (!Files.isDirectory(directory)) {
			return sources;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
				String path = directory.relativize(file).toString();
				if (!path.endsWith("-info.java")) {
					sources.put(path.replaceAll("\\.java$", "").replaceAll("[/\\\\]", "."), Files.readString(file));
				}
			}
		}
		return sources;
	}

}
