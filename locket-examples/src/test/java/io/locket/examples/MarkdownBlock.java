package io.locket.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * A fenced block in a page of the project.
 *
 * @param page the page, relative to the root of the project
 * @param line the line of the fence, from 1
 * @param language the language of the fence
 * @param lines the lines of the block
 */
record MarkdownBlock(String page, int line, String language, List<String> lines) {

	static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final String FENCE = "```";

	/**
	 * Returns the blocks of README.md and of all pages under docs.
	 */
	static List<MarkdownBlock> all() {
		try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
				.filter((path) -> path.toString().endsWith(".md"))
				.flatMap((page) -> of(page).stream())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<MarkdownBlock> all(String language) {
		return all().stream().filter((block) -> block.language().equals(language)).toList();
	}

	private static List<MarkdownBlock> of(Path page) {
		try {
			return of(ROOT.relativize(page).toString(), Files.readAllLines(page));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<MarkdownBlock> of(String page, List<String> lines) {
		List<MarkdownBlock> blocks = new ArrayList<>();
		MarkdownBlock open = null;
		for (int i = 0; i < lines.size(); i++) {
			String line = lines.get(i).strip();
			if (open == null && line.startsWith(FENCE)) {
				open = new MarkdownBlock(page, i + 1, line.substring(FENCE.length()).strip(), new ArrayList<>());
			}
			else if (line.equals(FENCE)) {
				blocks.add(open);
				open = null;
			}
			else if (open != null) {
				open.lines().add(lines.get(i));
			}
		}
		if (open != null) {
			throw new IllegalArgumentException(open + " is not closed");
		}
		return blocks;
	}

	String text() {
		return String.join("\n", this.lines);
	}

	/**
	 * Parses a block of YAML.
	 */
	EnumerablePropertySource<?> properties() {
		// Virtual threads are rejected on older Java versions.
		String yaml = (Runtime.version().feature() >= 21) ? text()
				: text().replace("threads: virtual", "threads: platform");
		try {
			return (EnumerablePropertySource<?>) new YamlPropertySourceLoader()
				.load(toString(), new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
				.get(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return this.page + ":" + this.line;
	}

}
