package io.locket.benchmarks.result;

import java.util.List;

/**
 * A table of figures that compares no variants.
 *
 * @param chapter the chapter that it belongs to
 * @param header the titles of the columns
 * @param rows the rows
 */
public record Table(Chapter chapter, List<String> header, List<List<String>> rows) {

	/**
	 * Creates a table.
	 */
	public Table {
		header = List.copyOf(header);
		rows = List.copyOf(rows);
	}

}
