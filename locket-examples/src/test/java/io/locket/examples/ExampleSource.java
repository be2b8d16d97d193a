package io.locket.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A source file of the examples that may contain a block of a page.
 *
 * @param name the path of the file
 * @param lines its lines in the form in which they are compared
 */
record ExampleSource(String name, List<String> lines) {

	static List<ExampleSource> java() {
		return all(Path.of("src/test/java"), ".java");
	}

	static List<ExampleSource> kotlin() {
		return all(MarkdownBlock.ROOT.resolve("locket-examples-kotlin/src/test/kotlin"), ".kt");
	}

	private static List<ExampleSource> all(Path root, String extension) {
		try (Stream<Path> files = Files.walk(root)) {
			return files.filter((path) -> path.toString().endsWith(extension))
				.map((path) -> of(root.relativize(path).toString(), read(path)))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> read(Path path) {
		try {
			return Files.readAllLines(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static ExampleSource of(String name, List<String> lines) {
		return new ExampleSource(name, paragraphs(lines).stream().flatMap(List::stream).toList());
	}

	/**
	 * Returns whether this file contains a block: its paragraphs in their order, each
	 * without gaps. Indentation, blank lines and line comments are ignored. For a blank
	 * line in the block, the file may have further lines.
	 */
	boolean holds(List<String> block) {
		int from = 0;
		for (List<String> paragraph : paragraphs(block)) {
			int found = Collections.indexOfSubList(this.lines.subList(from, this.lines.size()), paragraph);
			if (found < 0) {
				return false;
			}
			from += found + paragraph.size();
		}
		return true;
	}

	private static List<List<String>> paragraphs(List<String> lines) {
		List<List<String>> paragraphs = new ArrayList<>();
		boolean blank = true;
		for (String line : lines) {
			String code = line.replaceAll("(^|\\s)//(\\s.*|$)", "").strip().replaceAll("\\s+", " ");
			if (!code.isEmpty()) {
				if (blank) {
					paragraphs.add(new ArrayList<>());
				}
				paragraphs.get(paragraphs.size() - 1).add(code);
			}
			blank = line.isBlank();
		}
		return paragraphs;
	}

}
