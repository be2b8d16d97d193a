package io.locket.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the WARN and ERROR log texts against docs/operations.md.
 */
class LogTextTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	/**
	 * A call of a logger, up to the end of the statement.
	 */
	private static final Pattern STATEMENT = Pattern.compile("(?:logger|warnings)\\.(warn|error)\\((.*?)\\);\\n",
			Pattern.DOTALL);

	/**
	 * The texts that a class passes to the log of outages, which warns with the first
	 * one.
	 */
	private static final Pattern OUTAGE = Pattern.compile("new OutageLog\\(.*?\\);\\n", Pattern.DOTALL);

	private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

	@Test
	void everyWarningAndErrorOfTheLogIsInOperations() throws IOException {
		Map<String, List<Pattern>> rows = rows();
		List<String> missing = new ArrayList<>();
		int found = 0;
		for (Path file : sources()) {
			// These log the texts of other classes.
			if (!file.endsWith("QuietWarnings.java") && !file.endsWith("OutageLog.java")) {
				String code = Files.readString(file);
				for (MatchResult outage : OUTAGE.matcher(code).results().toList()) {
					found++;
					String said = texts(outage.group());
					if (rows.get("WARN").stream().noneMatch((row) -> row.matcher(said).find())) {
						missing.add("WARN of " + ROOT.relativize(file).getFileName() + ": " + said);
					}
				}
				for (MatchResult statement : STATEMENT.matcher(code).results().toList()) {
					found++;
					String own = texts(statement.group(2));
					String said = isOwn(statement.group(2)) ? own : texts(code);
					String level = statement.group(1).toUpperCase(Locale.ROOT);
					if (rows.get(level).stream().noneMatch((row) -> row.matcher(said).find())) {
						missing.add(level + " of " + ROOT.relativize(file).getFileName() + ": " + own);
					}
				}
			}
		}
		assertThat(found).isGreaterThan(60);
		assertThat(missing).as("texts without a row in docs/operations.md").isEmpty();
	}

	/**
	 * Returns whether a statement begins with its text and has more than two words. If
	 * not, the rest of the text is elsewhere in its class.
	 */
	private static boolean isOwn(String statement) {
		return statement.stripLeading().startsWith("\"")
				&& Pattern.compile("[A-Za-z]{2,}").matcher(texts(statement)).results().count() > 2;
	}

	/**
	 * Returns the texts of a piece of code, with dots for inserted values.
	 */
	private static String texts(String code) {
		return TEXT.matcher(code.replaceAll("\"\\s*\\+\\s*\"", ""))
			.results()
			.map((text) -> text.group(1))
			.collect(Collectors.joining(" ... "));
	}

	private static Map<String, List<Pattern>> rows() throws IOException {
		Map<String, List<Pattern>> rows = new LinkedHashMap<>();
		Matcher row = Pattern.compile("(?m)^\\| (WARN|ERROR) \\| ([^|]+) \\| [^|]{4,} \\|$")
			.matcher(Files.readString(ROOT.resolve("docs/operations.md")));
		while (row.find()) {
			for (String text : row.group(2).split("`, `|`")) {
				if (!text.isBlank()) {
					rows.computeIfAbsent(row.group(1), (level) -> new ArrayList<>()).add(pattern(text.strip()));
				}
			}
		}
		return rows;
	}

	private static Pattern pattern(String text) {
		return Pattern.compile(Stream.of(text.split("\\.\\.\\."))
			.map(String::strip)
			.filter((part) -> !part.isEmpty())
			.map(Pattern::quote)
			.collect(Collectors.joining(".*")));
	}

	/**
	 * Returns the main sources of the published modules.
	 */
	static List<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		for (String module : List.of("locket-core", "locket-redis", "locket-memory", "locket-spring-boot-autoconfigure",
				"locket-dashboard", "locket-spring-boot-starter-test")) {
			try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
				files.filter((path) -> path.toString().endsWith(".java")).forEach(sources::add);
			}
		}
		return sources;
	}

}
