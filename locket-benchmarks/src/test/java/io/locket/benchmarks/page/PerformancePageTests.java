package io.locket.benchmarks.page;

import java.util.List;
import java.util.Map;

import io.locket.benchmarks.result.Chapter;
import io.locket.benchmarks.result.Delay;
import io.locket.benchmarks.result.Figures;
import io.locket.benchmarks.result.Gate;
import io.locket.benchmarks.result.Multiples;
import io.locket.benchmarks.result.PartResult;
import io.locket.benchmarks.result.Section;
import io.locket.benchmarks.result.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PerformancePage}.
 */
class PerformancePageTests {

	private static final Figures FLOOR = new Figures("floor", 1, 1, 20, 30, 1, 50, 1000, List.of());

	private static final Figures OURS = new Figures("Locket", 0.5, 2, 40, 60, 1, 100, 500,
			List.of(new Multiples("Slower", 2.1, 0.5, 1.2), new Multiples("Faster", 0.25, 0, 0)));

	private static final Figures SLOWER = new Figures("Slower", 0.25, 4, 80, 50, 3, 200, 250, List.of());

	private static final Figures FASTER = new Figures("Faster", 2, 0, 0, 0, 0, 25, 2000, List.of());

	@Test
	void timeOfRedisComesBeforeRatiosAndAbsoluteFigures() {
		String page = page(Section.comparing("Work", "Some work.", "floor", "job", List.of(FLOOR, OURS)));
		assertThat(page).containsSubsequence("## Time, memory and commands of Redis", "### Work (floor)",
				"| Locket | 40.0 | 2.00 | 60.0 | 1.00 |", "## Ratios", "| Locket | 0.50 | 2.00 |",
				"## Absolute figures", "| Locket | 500 | 100 |", "## Repeat");
	}

	@Test
	void workIsDescribedOnceWhereItIsFirstShown() {
		String page = page(Section.comparing("Work", "Some work.", "floor", "job", List.of(FLOOR, OURS)));
		assertThat(page).containsOnlyOnce("Some work.")
			.containsSubsequence("## Time, memory and commands of Redis", "Some work.", "## Ratios");
	}

	@Test
	void peersThatAreFasterAreNamedAsPlainlyAsThoseThatAreSlower() {
		String page = page(
				Section.comparing("Work", "Some work.", "floor", "job", List.of(FLOOR, OURS, SLOWER, FASTER)));
		assertThat(page).containsSubsequence("### Jobs a second", "| Locket | Slower | Faster |",
				"| Work: Locket | 2.10 | **0.25** |", "### Redis's time a job, commands only", "| Locket | Slower |",
				"| Work: Locket | 0.50 |", "### Redis's CPU a job, network included", "| Locket | Slower |",
				"| Work: Locket | **1.20** |");
	}

	@Test
	void latenciesAreAbsoluteFiguresAndHaveTheirCostInRedis() {
		String page = page(Section.delaying("Start", "Some start.", "job", List.of(new Delay("Locket", 2, 8, 30, 60, 3),
				new Delay("Other", 4, 4, 20, 80, 4), new Delay("Third", 4, 4, 0, 0, 0))));
		assertThat(page).containsSubsequence("### Start", "| Locket | Other | Third |", "| Locket: p50 | 0.50 | 0.50 |",
				"| Locket: p99 | **2.00** | **2.00** |", "| Locket: Redis's time, commands only | **1.50** |",
				"| Locket: Redis's CPU, network included | 0.75 |", "## Time, memory and commands of Redis",
				"| Locket | 30.0 | 60.0 | 3.00 |", "## Absolute figures", "| Locket | 2.00 | 8.00 |");
	}

	@Test
	void tableIsInItsChapterOnly() {
		String page = page(Section.of("Memory", "Some memory.",
				new Table(Chapter.REDIS, List.of("item", "bytes"), List.of(List.of("lease", "200")))));
		assertThat(page).containsOnlyOnce("| lease | 200 |").containsSubsequence("| lease | 200 |", "## Ratios");
	}

	@Test
	void missedGateIsCountedAndMissedAimIsOnlyShown() {
		PartResult part = new PartResult("2026-11-22", "a machine", List.of(),
				List.of(Gate.atMost("ratio", 3, 2), Gate.atLeast("rate", 3, 2), Gate.aim("timing", 3, 2)));
		assertThat(new PerformancePage(Map.of("part", part)).render()).contains("Missed gates: 1 of 2.",
				"| ratio | <= 2.00 | 3.00 | **no** |", "| rate | >= 2.00 | 3.00 | yes |",
				"| timing | <= 2.00 | 3.00 | no (aim) |");
	}

	private static String page(Section section) {
		return new PerformancePage(
				Map.of("part", new PartResult("2026-11-22", "a machine", List.of(section), List.of())))
			.render();
	}

}
