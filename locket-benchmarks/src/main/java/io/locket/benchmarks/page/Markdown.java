package io.locket.benchmarks.page;

import java.util.Collections;
import java.util.List;

/**
 * Builder of text in Markdown.
 */
final class Markdown {

	private static final int WIDTH = 118;

	private final StringBuilder text = new StringBuilder();

	Markdown heading(int level, String title) {
		if (!this.text.isEmpty()) {
			line("");
		}
		line("#".repeat(level) + " " + title);
		return this;
	}

	Markdown paragraph(String paragraph) {
		line("");
		if (paragraph.startsWith("```")) {
			line(paragraph);
		}
		else {
			wrap(paragraph, "");
		}
		return this;
	}

	Markdown list(List<String> items) {
		line("");
		items.forEach((item) -> wrap("- " + item, "  "));
		return this;
	}

	Markdown table(List<String> header, List<List<String>> rows) {
		line("");
		line(row(header));
		line(row(Collections.nCopies(header.size(), "---")));
		rows.forEach((row) -> line(row(row)));
		return this;
	}

	private static String row(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	/**
	 * Adds text in lines of a limited width. Words are never broken.
	 */
	private void wrap(String words, String indent) {
		StringBuilder line = new StringBuilder();
		for (String word : words.split(" ")) {
			if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
				line(line.toString());
				line.setLength(0);
				line.append(indent);
			}
			else if (!line.isEmpty()) {
				line.append(' ');
			}
			line.append(word);
		}
		line(line.toString());
	}

	private void line(String line) {
		this.text.append(line).append('\n');
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
