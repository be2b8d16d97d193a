package io.locket.benchmarks.page;

import java.util.List;
import java.util.stream.Stream;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Figures;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Section;

/**
 * Tables of a section, by the chapter that they belong to.
 */
final class Tables {

	private static final List<String> DELAYS = List.of("variant", "p50, ms", "p99, ms");

	private static final List<String> GATES = List.of("figure", "bound", "measured", "kept");

	private Tables() {
	}

	static boolean has(Section section, Chapter chapter) {
		return !section.figures().isEmpty() || (!section.delays().isEmpty() && chapter != Chapter.RATIOS)
				|| section.tables().stream().anyMatch((table) -> table.chapter() == chapter);
	}

	/**
	 * Returns the first chapter with a table of a section.
	 */
	static Chapter firstChapter(Section section) {
		return Stream.of(Chapter.values()).filter((chapter) -> has(section, chapter)).findFirst().orElseThrow();
	}

	static void add(Markdown text, Section section, Chapter chapter) {
		if (!section.figures().isEmpty()) {
			text.table(header(section, chapter),
					section.figures().stream().map((figures) -> row(section, figures, chapter)).toList());
		}
		if (!section.delays().isEmpty() && chapter == Chapter.ABSOLUTE) {
			text.table(DELAYS, section.delays().stream().map(Tables::row).toList());
		}
		if (!section.delays().isEmpty() && chapter == Chapter.REDIS) {
			text.table(List.of("variant", "us of Redis / " + section.unit(), "us of Redis's CPU / " + section.unit(),
					"commands / " + section.unit()), section.delays().stream().map(Tables::costs).toList());
		}
		section.tables()
			.stream()
			.filter((table) -> table.chapter() == chapter)
			.forEach((table) -> text.table(table.header(), table.rows()));
	}

	private static List<String> header(Section section, Chapter chapter) {
		String unit = section.unit();
		return switch (chapter) {
			case REDIS -> List.of("variant", "us of Redis / " + unit, "multiple of the reference",
					"us of Redis's CPU / " + unit, "commands / " + unit);
			case RATIOS -> List.of("variant", "rate", "CPU of the client / " + unit);
			case ABSOLUTE -> List.of("variant", unit + "s / s", "us of the client's CPU / " + unit);
		};
	}

	private static List<String> row(Section section, Figures figures, Chapter chapter) {
		return switch (chapter) {
			case REDIS ->
				List.of(figures.variant(), Report.number(figures.redisMicros()), Report.number(figures.redisRatio()),
						Report.number(figures.redisCpuMicros()), Report.number(figures.calls()));
			case RATIOS -> List.of(figures.variant(), Report.number(figures.rate()),
					Report.number(figures.cpuMicros() / reference(section).cpuMicros()));
			case ABSOLUTE ->
				List.of(figures.variant(), Report.number(figures.perSecond()), Report.number(figures.cpuMicros()));
		};
	}

	private static Figures reference(Section section) {
		return section.figures()
			.stream()
			.filter((figures) -> figures.variant().equals(section.reference()))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> row(Delay delay) {
		return List.of(delay.variant(), Report.number(delay.p50()), Report.number(delay.p99()));
	}

	private static List<String> costs(Delay delay) {
		return List.of(delay.variant(), Report.number(delay.redisMicros()), Report.number(delay.redisCpuMicros()),
				Report.number(delay.calls()));
	}

	static void addGates(Markdown text, List<Gate> gates) {
		text.table(GATES, gates.stream().map(Tables::row).toList());
	}

	private static List<String> row(Gate gate) {
		String kept = gate.isKept() ? "yes" : gate.aim() ? "no (aim)" : "**no**";
		return List.of(gate.name(), (gate.atMost() ? "<= " : ">= ") + Report.number(gate.bound()),
				Report.number(gate.measured()), kept);
	}

}
