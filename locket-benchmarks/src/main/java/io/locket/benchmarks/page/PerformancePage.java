package io.locket.benchmarks.page;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.PartResult;
import io.locket.benchmarks.result.Section;

/**
 * Page of the documentation that shows all results: Redis's time and memory first, ratios
 * second, absolute figures last.
 */
public final class PerformancePage {

	private static final String COMMAND = """
			```bash
			mvn -q -Pbench -DskipTests -pl locket-benchmarks -am package
			java -Dbench.results=locket-benchmarks/results.json -Dbench.report=docs/performance.md -jar locket-benchmarks/target/locket-benchmarks.jar
			```""";

	private final Collection<PartResult> parts;

	private final Map<String, PartResult> results;

	public PerformancePage(Map<String, PartResult> results) {
		this.results = results;
		this.parts = results.values();
	}

	/**
	 * Returns the page.
	 * @return text in Markdown
	 */
	public String render() {
		Markdown text = new Markdown().heading(1, "Performance")
			.paragraph("The [benchmarks](../locket-benchmarks/README.md) generate this page from "
					+ "[their results](../locket-benchmarks/results.json). Do not edit it.")
			.paragraph("A floor is the least that the same work costs in Redis: a script without records, retries, "
					+ "counters, fences and typed results. Variants take turns within each round, on one machine and "
					+ "one Redis. Ratios are medians of the ratios of each round. Latencies are those of the samples "
					+ "of all rounds. " + "In brackets beside a title stands the reference.");
		machines(text);
		standing(text);
		gates(text);
		chapter(text, Chapter.REDIS, "Time, memory and commands of Redis",
				"Redis has one thread for all its clients, so its time is what a fleet shares. `INFO commandstats` "
						+ "counts it: microseconds of scripts, and of the commands that a variant sends beside them. "
						+ "Redis's CPU is that of its process, with the network and the parsing of commands.");
		chapter(text, Chapter.RATIOS, "Ratios",
				"Rate and CPU time as multiples of the reference. More is better for the rate, less for the CPU time.");
		chapter(text, Chapter.ABSOLUTE, "Absolute figures",
				"These depend on the machine. Compare them only with each other.");
		text.heading(2, "Repeat").paragraph("One command builds and runs everything, in half an hour at most:");
		text.paragraph(COMMAND);
		text.paragraph("It exits with 1 if a gate is missed. The "
				+ "[README of the benchmarks](../locket-benchmarks/README.md) lists parts and options.");
		return text.toString();
	}

	private void machines(Markdown text) {
		List<String> machines = this.parts.stream()
			.map((part) -> part.machine() + " " + part.date())
			.distinct()
			.toList();
		if (machines.size() == 1) {
			text.paragraph("Measured on: " + machines.get(0) + ".");
			return;
		}
		text.table(List.of("measured on", "parts"),
				machines.stream().map((machine) -> List.of(machine, partsOf(machine))).toList());
	}

	private String partsOf(String machine) {
		return String.join(", ",
				this.results.entrySet()
					.stream()
					.filter((entry) -> machine.equals(entry.getValue().machine() + " " + entry.getValue().date()))
					.map((entry) -> "`" + entry.getKey() + "`")
					.toList());
	}

	private void standing(Markdown text) {
		text.heading(2, "Locket among its peers")
			.paragraph("Each figure is Locket's as a multiple of the peer's. More is better for rates, less for times. "
					+ "**Bold figures are those in which Locket is behind.** ShedLock is not safe against a late release. "
					+ "Peers in memory serve one process.");
		new Standing(sections()).addTo(text);
	}

	private void gates(Markdown text) {
		List<Gate> gates = this.parts.stream().flatMap((part) -> part.gates().stream()).toList();
		long missed = gates.stream().filter(Gate::isFailure).count();
		text.heading(2, "Gates and aims")
			.paragraph("A gate bounds a ratio or a count: the command fails if it is missed. An aim bounds a timing of "
					+ "this machine, and is only reported. Missed gates: " + missed + " of "
					+ gates.stream().filter((gate) -> !gate.aim()).count() + ". "
					+ "[Decision 45](decisions/0045-gates-that-are-missed.md) explains them.");
		Tables.addGates(text, gates);
	}

	private void chapter(Markdown text, Chapter chapter, String title, String introduction) {
		text.heading(2, title).paragraph(introduction);
		for (Section section : sections()) {
			if (Tables.has(section, chapter)) {
				text.heading(3, section.reference().isEmpty() ? section.title()
						: section.title() + " (" + section.reference() + ")");
				if (chapter == Tables.firstChapter(section)) {
					text.paragraph(section.description());
				}
				Tables.add(text, section, chapter);
			}
		}
	}

	private List<Section> sections() {
		return this.parts.stream().flatMap((part) -> part.sections().stream()).toList();
	}

}
