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

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for docs/glossary.md against the enums of the code.
 */
class GlossaryTests {

	private static final Path PAGE = Path.of("..", "docs", "glossary.md");

	@Test
	void glossaryHasEveryStateOfAJob() throws IOException {
		assertThat(rows("States of a job"))
			.isEqualTo(names(Stream.of(JobState.values()).filter((state) -> !state.isEnded())));
		assertThat(rows("Ends of a job")).isEqualTo(names(Stream.of(JobState.values()).filter(JobState::isEnded)));
	}

	@Test
	void glossaryHasEveryStrategy() throws IOException {
		Set<String> strategies = names(Stream.of(LockStrategy.values()));
		strategies.addAll(names(Stream.of(DuplicateStrategy.values())));
		strategies.addAll(names(Stream.of(ConflictStrategy.values())));
		strategies.remove(LockStrategy.DEFAULT.name());
		assertThat(rows("Strategies")).isEqualTo(strategies);
	}

	private static Set<String> names(Stream<? extends Enum<?>> constants) {
		return constants.map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Returns the code in the first cells of a section.
	 */
	private static Set<String> rows(String heading) throws IOException {
		String page = Files.readString(PAGE);
		int from = page.indexOf("## " + heading + "\n");
		int to = page.indexOf("\n## ", from);
		return Pattern.compile("(?m)^\\| `(\\w+)` \\|")
			.matcher(page.substring(from, (to > 0) ? to : page.length()))
			.results()
			.map((MatchResult row) -> row.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
