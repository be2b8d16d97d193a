package io.locket.benchmarks.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.locket.benchmarks.measure.Report;

/**
 * Table of one figure: a row for each variant of Locket, and a column for each peer. A
 * cell is Locket's figure as a multiple of the peer's. It is bold if Locket's is worse.
 */
final class PeerTable {

	private static final String EQUAL = Report.number(1);

	private final boolean moreIsBetter;

	private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

	PeerTable(boolean moreIsBetter) {
		this.moreIsBetter = moreIsBetter;
	}

	void put(String row, String peer, double multiple) {
		this.rows.computeIfAbsent(row, (name) -> new LinkedHashMap<>()).put(peer, cell(multiple));
	}

	/**
	 * Adds the table, unless it has no row.
	 */
	void addTo(Markdown text, String title) {
		if (this.rows.isEmpty()) {
			return;
		}
		List<String> peers = this.rows.values()
			.stream()
			.flatMap((cells) -> cells.keySet().stream())
			.distinct()
			.toList();
		List<List<String>> lines = new ArrayList<>();
		this.rows.forEach((row, cells) -> lines
			.add(Stream.concat(Stream.of(row), peers.stream().map((peer) -> cells.getOrDefault(peer, "-"))).toList()));
		text.heading(3, title).table(Stream.concat(Stream.of("Locket"), peers.stream()).toList(), lines);
	}

	private String cell(double multiple) {
		String number = Report.number(multiple);
		boolean isWorse = !number.equals(EQUAL) && (multiple > 1) != this.moreIsBetter;
		return isWorse ? "**" + number + "**" : number;
	}

}
