package io.locket.dashboard;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DashboardFiles}.
 */
class DashboardFilesTests {

	private static final Path SOURCES = Path.of("src/main/resources/io/locket/dashboard");

	private static final int MAX_SIZE = 150_000;

	private final DashboardFiles files = new DashboardFiles();

	@Test
	void everyFileThatThePageNeedsIsServed() throws Exception {
		Set<String> needed = new TreeSet<>(
				names("(?:src|href)=\"([\\w.]+)\"", Files.readString(SOURCES.resolve("index.html"))));
		for (String script : List.copyOf(sources())) {
			needed.addAll(names("from '\\./([\\w.]+)'", Files.readString(SOURCES.resolve(script))));
		}
		assertThat(needed).hasSizeGreaterThan(15);
		assertThat(this.files.names()).containsAll(needed);
	}

	@Test
	void everySourceIsServed() throws Exception {
		assertThat(sources()).hasSizeGreaterThan(15);
		assertThat(this.files.names()).containsAll(sources());
	}

	@Test
	void nativeImageContainsEveryFile() throws Exception {
		RuntimeHints hints = new RuntimeHints();
		new DashboardHints().registerHints(hints, null);
		Set<String> resources = sources();
		resources.addAll(Set.of("index.html", "library/preact.umd.js", "library/hooks.umd.js"));
		assertThat(resources).allSatisfy((name) -> assertThat(hints)
			.matches(RuntimeHintsPredicates.resource().forResource("io/locket/dashboard/" + name)));
	}

	@Test
	void unknownFilesAreNotServed() {
		assertThat(this.files.names()).doesNotContain("index.html").allMatch((name) -> name.matches("[a-z.]+"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.get("../DashboardFiles.class"));
	}

	@Test
	void pageIsSmall() throws Exception {
		long size = Files.size(SOURCES.resolve("index.html"));
		Set<String> names = sources();
		names.addAll(Set.of("preact.umd.js", "hooks.umd.js"));
		for (String name : names) {
			DashboardFile file = this.files.get(name);
			size += file.content().contentLength();
		}
		assertThat(size).isBetween(50_000L, (long) MAX_SIZE);
	}

	@Test
	void scriptsWriteTextOnlyAndLoadNothingFromElsewhere() throws Exception {
		for (String name : sources()) {
			DashboardFile file = this.files.get(name);
			String text = file.content().getContentAsString(StandardCharsets.UTF_8);
			assertThat(text).as(name)
				.doesNotContain("innerHTML", "InnerHTML", "insertAdjacent", "document.write", "eval(", "new Function")
				.doesNotContainPattern("(?<!xmlns=\")https?://");
		}
	}

	private static Set<String> sources() throws Exception {
		try (Stream<Path> files = Files.list(SOURCES)) {
			return files.filter(Files::isRegularFile)
				.map((path) -> path.getFileName().toString())
				.filter((name) -> !name.equals("index.html"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	private static List<String> names(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
	}

}
