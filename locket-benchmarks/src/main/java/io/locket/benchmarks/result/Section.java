package io.locket.benchmarks.result;

import java.util.List;

/**
 * Results of one comparison or measurement.
 *
 * @param title the title
 * @param description a sentence or two about what is measured
 * @param reference the name of the variant that the others are compared with, empty if
 * there is none
 * @param unit the name of an operation
 * @param figures the figures of the variants, empty if none are compared
 * @param delays the latencies of the variants, empty if none are measured
 * @param tables further figures
 */
public record Section(String title, String description, String reference, String unit, List<Figures> figures,
		List<Delay> delays, List<Table> tables) {

	/**
	 * Creates a section.
	 */
	public Section {
		figures = List.copyOf(figures);
		delays = List.copyOf(delays);
		tables = List.copyOf(tables);
	}

	/**
	 * Returns a section that compares the costs of variants.
	 * @param title the title
	 * @param description a sentence or two about what is measured
	 * @param reference the name of the variant that the others are compared with
	 * @param unit the name of an operation
	 * @param figures the figures of the variants
	 * @return the section
	 */
	public static Section comparing(String title, String description, String reference, String unit,
			List<Figures> figures) {
		return new Section(title, description, reference, unit, figures, List.of(), List.of());
	}

	/**
	 * Returns a section that compares the latencies of variants.
	 * @param title the title
	 * @param description a sentence or two about what is measured
	 * @param unit the name of a sample
	 * @param delays the latencies
	 * @return the section
	 */
	public static Section delaying(String title, String description, String unit, List<Delay> delays) {
		return new Section(title, description, "", unit, List.of(), delays, List.of());
	}

	/**
	 * Returns a section of plain tables.
	 * @param title the title
	 * @param description a sentence or two about what is measured
	 * @param tables the tables
	 * @return the section
	 */
	public static Section of(String title, String description, Table... tables) {
		return new Section(title, description, "", "", List.of(), List.of(), List.of(tables));
	}

}
