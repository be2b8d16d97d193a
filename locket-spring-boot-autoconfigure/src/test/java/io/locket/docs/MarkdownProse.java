package io.locket.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The prose of a Markdown page: its sentences, the cells of its tables, and its lines.
 * Code blocks and headings are left out.
 *
 * @param sentences the sentences of paragraphs and list items
 * @param cells the cells of tables
 * @param lines the lines of paragraphs and list items, as they are in the source
 */
public record MarkdownProse(List<Passage> sentences, List<Passage> cells, List<Passage> lines) {

	private static final Pattern CODE = Pattern.compile("(`+)[^`]+\\1");

	private static final Pattern LINK = Pattern.compile("!?\\[((?:[^\\[\\]]|\\[[^\\]]*\\])*)\\]\\([^)]*\\)");

	private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*]|\\d+\\.) +");

	private static final Pattern QUOTE = Pattern.compile("^> ?");

	private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=[.!?:][\"”)*_]{0,3})\\s+");

	private static final Pattern END_OF_CELL = Pattern.compile("(?<!\\\\)\\|");

	public static MarkdownProse of(List<String> source) {
		Reader reader = new Reader();
		source.forEach(reader::read);
		reader.endParagraph();
		return reader.prose;
	}

	/**
	 * Returns the sentences and the cells.
	 */
	public Stream<Passage> texts() {
		return Stream.concat(this.sentences.stream(), this.cells.stream());
	}

	/**
	 * A piece of text.
	 *
	 * @param line the line of the page in which it begins, from 1
	 * @param text the text. Each code span of a sentence or cell is replaced by a
	 * placeholder, and each link by its text.
	 */
	public record Passage(int line, String text) {

		static final String PLACEHOLDER = "\u25a1";

		private static final Pattern NAMES = Pattern
			.compile(PLACEHOLDER + "(?:(?:,| and| or|, and|, or) " + PLACEHOLDER + ")+");

		/**
		 * Returns the number of words. Names in code that follow one another count as one
		 * word.
		 */
		public long words() {
			return Stream.of(NAMES.matcher(this.text).replaceAll(PLACEHOLDER).split("\\s+"))
				.filter((word) -> word.contains(PLACEHOLDER) || word.chars().anyMatch(Character::isLetterOrDigit))
				.count();
		}

		@Override
		public String toString() {
			return "line " + this.line + ": " + this.text;
		}

	}

	private static final class Reader {

		private final MarkdownProse prose = new MarkdownProse(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

		private final StringBuilder paragraph = new StringBuilder();

		private int number;

		private int start;

		private boolean inCode;

		public void read(String line) {
			this.number++;
			boolean fence = line.strip().startsWith("```");
			this.inCode ^= fence;
			if (fence || this.inCode || isLeftOut(line)) {
				endParagraph();
			}
			else if (line.startsWith("|")) {
				endParagraph();
				readRow(line);
			}
			else {
				readProse(line);
			}
		}

		private boolean isLeftOut(String line) {
			boolean indentedCode = line.startsWith("    ") && this.paragraph.isEmpty();
			return indentedCode || line.isBlank() || line.startsWith("#");
		}

		private void readRow(String row) {
			if (!row.matches("[|: -]+")) {
				for (String cell : END_OF_CELL.split(plain(row))) {
					this.prose.cells.add(new Passage(this.number, cell.strip()));
				}
			}
		}

		private void readProse(String line) {
			this.prose.lines.add(new Passage(this.number, line));
			if (ITEM.matcher(line).find()) {
				endParagraph();
			}
			if (this.paragraph.isEmpty()) {
				this.start = this.number;
			}
			String text = ITEM.matcher(QUOTE.matcher(line).replaceFirst("")).replaceFirst("");
			this.paragraph.append(text.strip()).append(' ');
		}

		public void endParagraph() {
			for (String sentence : END_OF_SENTENCE.split(plain(this.paragraph.toString()))) {
				if (!sentence.isBlank()) {
					this.prose.sentences.add(new Passage(this.start, sentence.strip()));
				}
			}
			this.paragraph.setLength(0);
		}

		private static String plain(String markdown) {
			return LINK.matcher(CODE.matcher(markdown).replaceAll(Passage.PLACEHOLDER)).replaceAll("$1");
		}

	}

}
