package io.locket.benchmarks.page;

import java.util.List;
import java.util.Locale;

import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Figures;
import io.locket.benchmarks.result.Multiples;
import io.locket.benchmarks.result.Section;

/**
 * Position of Locket among its peers, in tables of rates, of Redis's time and CPU, and of
 * latencies.
 */
final class Standing {

	private final List<Section> sections;

	Standing(List<Section> sections) {
		this.sections = sections;
	}

	void addTo(Markdown text) {
		this.sections.stream().map(Section::unit).distinct().forEach((unit) -> addFigures(text, unit));
		this.sections.forEach((section) -> addDelays(text, section));
	}

	private void addFigures(Markdown text, String unit) {
		PeerTable rates = new PeerTable(true);
		PeerTable redis = new PeerTable(false);
		PeerTable redisCpu = new PeerTable(false);
		for (Section section : this.sections.stream().filter((section) -> section.unit().equals(unit)).toList()) {
			for (Figures ours : section.figures().stream().filter(Figures::isLocket).toList()) {
				String row = section.title() + ": " + name(ours.variant());
				for (Multiples multiples : ours.peers()) {
					rates.put(row, multiples.peer(), multiples.rate());
					if (multiples.redisMicros() > 0) {
						redis.put(row, multiples.peer(), multiples.redisMicros());
						redisCpu.put(row, multiples.peer(), multiples.redisCpuMicros());
					}
				}
			}
		}
		String rate = unit + "s a second";
		rates.addTo(text, rate.substring(0, 1).toUpperCase(Locale.ROOT) + rate.substring(1));
		redis.addTo(text, "Redis's time a " + unit + ", commands only");
		redisCpu.addTo(text, "Redis's CPU a " + unit + ", network included");
	}

	private static void addDelays(Markdown text, Section section) {
		PeerTable delays = new PeerTable(false);
		for (Delay ours : section.delays().stream().filter(Delay::isLocket).toList()) {
			for (Delay theirs : section.delays().stream().filter(Delay::isPeer).toList()) {
				delays.put(name(ours.variant()) + ": p50", theirs.variant(), ours.p50() / theirs.p50());
				delays.put(name(ours.variant()) + ": p99", theirs.variant(), ours.p99() / theirs.p99());
				if (theirs.redisMicros() > 0) {
					delays.put(name(ours.variant()) + ": Redis's time, commands only", theirs.variant(),
							ours.redisMicros() / theirs.redisMicros());
					delays.put(name(ours.variant()) + ": Redis's CPU, network included", theirs.variant(),
							ours.redisCpuMicros() / theirs.redisCpuMicros());
				}
			}
		}
		delays.addTo(text, section.title());
	}

	private static String name(String variant) {
		return variant.replace("Locket, ", "");
	}

}
