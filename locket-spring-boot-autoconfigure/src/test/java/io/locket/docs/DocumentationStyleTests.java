package io.locket.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.docs.MarkdownProse.Passage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the language of the pages. The rules are in docs/style.md, which also lists
 * the words that pages do not use. The changelog and the generated page on performance
 * are not checked.
 */
class DocumentationStyleTests {

	private static final int WORDS_OF_A_SENTENCE = 25;

	private static final int WORDS_OF_A_CELL = 25;

	private static final int CHARACTERS_OF_A_LINE = 120;

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final List<String> EXEMPT = List.of("docs/performance.md");

	private static final Path STYLE = ROOT.resolve("docs/style.md");

	private static final Pattern QUESTION_WORD = Pattern.compile("^(?:What|Who|Whoever|How|Which)\\b.*[^?]$");

	private static final Pattern ADDRESS = Pattern.compile("https?://");

	@Test
	void sentencesAreShort() throws IOException {
		assertThat(violations(MarkdownProse::sentences, (sentence) -> sentence.words() > WORDS_OF_A_SENTENCE))
			.as("sentences of more than %d words", WORDS_OF_A_SENTENCE)
			.isEmpty();
	}

	@Test
	void cellsOfTablesAreShort() throws IOException {
		assertThat(violations(MarkdownProse::cells, (cell) -> cell.words() > WORDS_OF_A_CELL))
			.as("cells of more than %d words", WORDS_OF_A_CELL)
			.isEmpty();
	}

	@Test
	void linesAreShort() throws IOException {
		assertThat(violations(MarkdownProse::lines,
				(line) -> line.text().length() >= CHARACTERS_OF_A_LINE && !ADDRESS.matcher(line.text()).find()))
			.as("lines of %d characters or more", CHARACTERS_OF_A_LINE)
			.isEmpty();
	}

	@Test
	void sentencesBeginWithTheirSubject() throws IOException {
		assertThat(violations(MarkdownProse::sentences, (sentence) -> QUESTION_WORD.matcher(sentence.text()).find()))
			.as("sentences that begin with What, Who, Whoever, How or Which")
			.isEmpty();
	}

	@Test
	void wordsThatAreNotUsedAreAbsent() throws IOException {
		Pattern unused = Pattern.compile("(?i)\\b(?:" + String.join("|", unusedWords()) + ")\\b");
		assertThat(violations((prose) -> prose.texts().toList(), (passage) -> unused.matcher(passage.text()).find()))
			.as("texts with words that docs/style.md replaces")
			.isEmpty();
	}

	@Test
	void stylePageStatesTheLimits() throws IOException {
		assertThat(Files.readString(STYLE)).contains("sentence has at most " + WORDS_OF_A_SENTENCE + " words",
				"cell has at most " + WORDS_OF_A_CELL + " words",
				"shorter than " + CHARACTERS_OF_A_LINE + " characters");
		assertThat(unusedWords()).contains("tells", "put back").doesNotContain("write");
	}

	@Test
	void violationsAreFoundInProseOnly() {
		String page = """
				# How it is
				One two,
				three `four five`: six. [Seven](x.md)
				    eight.

				> Quoted.

				    code

				- item
				  of two lines
				- `a`, `b` or `c`
				```
				fenced
				```
				| head | of table |
				|---|---|
				| `a|b` | two words |
				""";
		MarkdownProse prose = MarkdownProse.of(page.lines().toList());
		assertThat(prose.sentences()).map(Passage::toString)
			.containsExactly("line 2: One two, three \u25a1:", "line 2: six.", "line 2: Seven eight.",
					"line 6: Quoted.", "line 10: item of two lines", "line 12: \u25a1, \u25a1 or \u25a1");
		assertThat(prose.sentences()).map(Passage::words).containsExactly(4L, 1L, 2L, 1L, 4L, 1L);
		assertThat(prose.cells()).map(Passage::text).containsExactly("", "head", "of table", "", "\u25a1", "two words");
		assertThat(prose.lines()).map(Passage::line).containsExactly(2, 3, 4, 6, 10, 11, 12);
	}

	/**
	 * Returns the words of the first column of the table in docs/style.md.
	 */
	private static Set<String> unusedWords() throws IOException {
		String page = Files.readString(STYLE);
		String table = page.substring(page.indexOf("| instead of | write |"));
		return table.substring(0, table.indexOf("\n\n"))
			.lines()
			.skip(2)
			.flatMap((row) -> Pattern.compile("`([^`]+)`").matcher(row.split("\\|")[1]).results())
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

	private static List<String> violations(Function<MarkdownProse, List<Passage>> part, Predicate<Passage> rule)
			throws IOException {
		List<String> violations = new ArrayList<>();
		for (Path page : pages()) {
			part.apply(MarkdownProse.of(Files.readAllLines(page)))
				.stream()
				.filter(rule)
				.forEach((passage) -> violations.add(ROOT.relativize(page) + ", " + passage));
		}
		return violations;
	}

	private static List<Path> pages() throws IOException {
		try (Stream<Path> pages = Stream.concat(Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
				Files.walk(ROOT.resolve("docs")))) {
			return pages.filter((path) -> path.toString().endsWith(".md"))
				.filter((path) -> EXEMPT.stream().noneMatch((exempt) -> path.startsWith(ROOT.resolve(exempt))))
				.sorted()
				.toList();
		}
	}

}
