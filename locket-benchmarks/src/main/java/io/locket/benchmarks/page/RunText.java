package io.locket.benchmarks.page;

import java.util.List;

import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;

/**
 * Text that a run prints while it goes on.
 */
public final class RunText {

	private RunText() {
	}

	/**
	 * Returns the text of a section.
	 * @param section the section
	 * @return text in Markdown
	 */
	public static String of(Section section) {
		Markdown text = new Markdown().heading(2, section.title()).paragraph(section.description());
		for (Chapter chapter : Chapter.values()) {
			Tables.add(text, section, chapter);
		}
		return text + "\n";
	}

	/**
	 * Returns the text of the gates.
	 * @param gates the gates
	 * @return text in Markdown
	 */
	public static String of(List<Gate> gates) {
		Markdown text = new Markdown().heading(2, "Gates and aims");
		Tables.addGates(text, gates);
		return text.toString();
	}

}
