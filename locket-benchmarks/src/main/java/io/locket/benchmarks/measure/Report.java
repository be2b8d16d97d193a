package io.locket.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.locket.benchmarks.result.Figures;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Multiples;
import io.locket.benchmarks.result.Rounding;
import io.locket.benchmarks.result.Section;

/**
 * Collects the results of one part of a run.
 */
public final class Report {

	private final List<Section> sections = new ArrayList<>();

	private final List<Gate> gates = new ArrayList<>();

	/**
	 * Adds a comparison.
	 * @param title the title
	 * @param description a sentence or two about what is measured
	 * @param series the costs
	 * @param reference the name of the variant that the others are compared with
	 * @param unit the name of an operation
	 */
	public void comparison(String title, String description, Series series, String reference, String unit) {
		List<Figures> figures = series.variants()
			.stream()
			.map((variant) -> figures(series, variant, reference))
			.toList();
		section(Section.comparing(title, description, reference, unit, figures));
	}

	private static Figures figures(Series series, String variant, String reference) {
		return new Figures(variant, Rounding.of(series.ratio(variant, reference, Usage::perSecond)),
				Rounding.of(series.ratio(variant, reference, Usage::redisMicrosEach)),
				Rounding.of(series.median(variant, Usage::redisMicrosEach)),
				Rounding.of(series.median(variant, Usage::redisCpuMicrosEach)),
				Rounding.of(series.median(variant, Usage::redisCallsEach)),
				Rounding.of(series.median(variant, Usage::cpuMicrosEach)),
				Rounding.of(series.median(variant, Usage::perSecond)), peers(series, variant));
	}

	private static List<Multiples> peers(Series series, String variant) {
		return Figures.isLocket(variant) ? series.variants()
			.stream()
			.filter(Figures::isPeer)
			.map((peer) -> multiples(series, variant, peer))
			.toList() : List.of();
	}

	private static Multiples multiples(Series series, String variant, String peer) {
		boolean usesRedis = series.median(peer, Usage::redisMicrosEach) > 0;
		return new Multiples(peer, Rounding.of(series.ratio(variant, peer, Usage::perSecond)),
				usesRedis ? Rounding.of(series.ratio(variant, peer, Usage::redisMicrosEach)) : 0,
				usesRedis ? Rounding.of(series.ratio(variant, peer, Usage::redisCpuMicrosEach)) : 0);
	}

	/**
	 * Adds a section.
	 * @param section the section
	 */
	public void section(Section section) {
		this.sections.add(section);
	}

	/**
	 * Adds a gate.
	 * @param gate the gate
	 */
	public void gate(Gate gate) {
		this.gates.add(gate);
	}

	/**
	 * Returns the sections.
	 * @return the sections, in the order in which they were added
	 */
	public List<Section> sections() {
		return List.copyOf(this.sections);
	}

	/**
	 * Returns the gates.
	 * @return the gates, in the order in which they were added
	 */
	public List<Gate> gates() {
		return List.copyOf(this.gates);
	}

	/**
	 * Returns a figure as text: as many digits as mean something.
	 * @param figure the figure
	 * @return the text
	 */
	public static String number(double figure) {
		String format = (Math.abs(figure) < 10) ? "%.2f" : (Math.abs(figure) < 100) ? "%.1f" : "%,.0f";
		return String.format(Locale.ROOT, format, figure);
	}

}
