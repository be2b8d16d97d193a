package io.locket.benchmarks.page;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.locket.benchmarks.measure.Report;
import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Figures;
import io.locket.benchmarks.result.Section;

/**
 * Position of Locket among its peers in one section: the figures in which it is behind,
 * and those in which it is ahead. Each figure is a multiple of the peer's.
 */
final class Standing {

	private final List<String> behind = new ArrayList<>();

	private final List<String> ahead = new ArrayList<>();

	void add(Section section) {
		for (Figures ours : section.figures().stream().filter(Figures::isLocket).toList()) {
			String subject = section.title() + ", " + ours.variant() + ": ";
			String unit = section.unit() + "s a second";
			collect(subject, unit, section, (theirs) -> ours.rate() / theirs.rate(), true);
			collect(subject, "Redis's time a " + section.unit(), section,
					(theirs) -> (theirs.redisMicros() > 0) ? ours.redisMicros() / theirs.redisMicros() : 1, false);
		}
		for (Delay ours : section.delays().stream().filter(Delay::isLocket).toList()) {
			List<Delay> peers = section.delays().stream().filter(Delay::isPeer).toList();
			sort(section.title() + ": p50 of ",
					peers.stream().map((theirs) -> new Comparison(theirs.variant(), ours.p50() / theirs.p50())), false);
			sort(section.title() + ": p99 of ",
					peers.stream().map((theirs) -> new Comparison(theirs.variant(), ours.p99() / theirs.p99())), false);
		}
	}

	private void collect(String subject, String figure, Section section, Multiple multiple, boolean moreIsBetter) {
		sort(subject + figure + " of ",
				section.figures()
					.stream()
					.filter(Figures::isPeer)
					.map((theirs) -> new Comparison(theirs.variant(), multiple.of(theirs))),
				moreIsBetter);
	}

	private void sort(String subject, Stream<Comparison> comparisons, boolean moreIsBetter) {
		List<String> worse = new ArrayList<>();
		List<String> better = new ArrayList<>();
		comparisons.filter((comparison) -> Math.abs(comparison.multiple() - 1) >= 0.02)
			.forEach((comparison) -> ((comparison.multiple() > 1 == moreIsBetter) ? better : worse)
				.add(comparison.toString()));
		if (!worse.isEmpty()) {
			this.behind.add(subject + String.join(", ", worse) + ".");
		}
		if (!better.isEmpty()) {
			this.ahead.add(subject + String.join(", ", better) + ".");
		}
	}

	List<String> behind() {
		return this.behind;
	}

	List<String> ahead() {
		return this.ahead;
	}

	@FunctionalInterface
	private interface Multiple {

		double of(Figures theirs);

	}

	private record Comparison(String peer, double multiple) {

		@Override
		public String toString() {
			return this.peer + " " + Report.number(this.multiple) + " x";
		}

	}

}
