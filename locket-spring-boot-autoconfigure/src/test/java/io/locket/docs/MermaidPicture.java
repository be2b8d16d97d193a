package io.locket.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Mermaid picture in a page under docs.
 *
 * @param page the text of the page
 * @param lines the lines of the picture, stripped
 */
record MermaidPicture(String page, List<String> lines) {

	private static final String FENCE = "```";

	/**
	 * Reads the first picture of a kind in a page.
	 * @param page the name of the page
	 * @param kind the beginning of its first line, such as {@code stateDiagram}
	 */
	static MermaidPicture of(String page, String kind) {
		String text = read(page);
		String begin = FENCE + "mermaid\n" + kind;
		int from = text.indexOf(begin);
		if (from < 0) {
			throw new IllegalArgumentException(page + " has no " + kind);
		}
		String picture = text.substring(from + begin.length(), text.indexOf("\n" + FENCE, from));
		return new MermaidPicture(text, picture.lines().skip(1).map(String::strip).toList());
	}

	private static String read(String page) {
		try {
			return Files.readString(Path.of("..", "docs", page));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
