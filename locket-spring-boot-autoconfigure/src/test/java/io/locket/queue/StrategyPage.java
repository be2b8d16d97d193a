package io.locket.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;

/**
 * Tables of {@code docs/strategies.md}, with each cell as an empty queue behaves.
 */
final class StrategyPage {

	private static final String NONE = "–";

	private static final List<LockStrategy> LOCKS = Arrays.stream(LockStrategy.values())
		.filter((lock) -> lock != LockStrategy.DEFAULT)
		.toList();

	private final QueueUnderTest implementation;

	StrategyPage(QueueUnderTest implementation) {
		this.implementation = implementation;
	}

	/**
	 * Returns a page with new text between the markers of each table.
	 */
	String rewrite(String page) {
		String text = replace(page, "newcomer", newcomers());
		text = replace(text, "conflict", conflicts());
		return replace(text, "return", returns());
	}

	private static String replace(String page, String name, String table) {
		String begin = "<!-- table " + name + " -->\n";
		String end = "<!-- end " + name + " -->\n";
		int from = page.indexOf(begin);
		int to = page.indexOf(end);
		if (from < 0 || to < from) {
			throw new AssertionError("The page has no markers for table " + name);
		}
		return page.substring(0, from + begin.length()) + table + page.substring(to);
	}

	private String newcomers() {
		return table("existing is", Arrays.asList(JobState.values()), JobState::toString,
				(lock, state) -> StrategyTrial.canBe(lock, state) ? fates(lock, state) : NONE);
	}

	/**
	 * Returns the results under each duplicate strategy, or the only one.
	 */
	private String fates(LockStrategy lock, JobState state) {
		List<String> fates = new ArrayList<>();
		List<DuplicateStrategy> strategies = List.of(DuplicateStrategy.REJECT, DuplicateStrategy.RAISE,
				DuplicateStrategy.REPLACE);
		for (DuplicateStrategy strategy : strategies) {
			fates.add(trial((trial) -> trial.newcomer(lock, state, strategy)));
		}
		return (fates.stream().distinct().count() == 1) ? fates.get(0) : String.join(" / ", fates);
	}

	private String conflicts() {
		List<ConflictStrategy> strategies = Arrays.stream(ConflictStrategy.values())
			.filter((strategy) -> strategy != ConflictStrategy.DEFAULT)
			.toList();
		return table("`onConflict`", strategies, (strategy) -> "`" + strategy + "`",
				(lock, strategy) -> trial((trial) -> trial.conflict(lock, strategy)));
	}

	private String returns() {
		return table("it comes back", Arrays.asList(StrategyTrial.Return.values()), (way) -> way.words,
				(lock, way) -> way.isPossible(lock) ? trial((trial) -> trial.comeBack(lock, way)) : NONE);
	}

	private String trial(Function<StrategyTrial, String> trial) {
		try (QueueHarness harness = this.implementation.create()) {
			return trial.apply(new StrategyTrial(new QueueUser(harness)));
		}
	}

	private static <R> String table(String corner, List<R> rows, Function<R, String> name, Cell<R> cell) {
		String head = line(corner, LOCKS.stream().map((lock) -> "`" + lock + "`"));
		String rule = line("---", LOCKS.stream().map((lock) -> "---"));
		return head + rule
				+ rows.stream()
					.map((row) -> line(name.apply(row), LOCKS.stream().map((lock) -> cell.text(lock, row))))
					.collect(Collectors.joining());
	}

	private static String line(String first, Stream<String> cells) {
		return Stream.concat(Stream.of(first), cells).collect(Collectors.joining(" | ", "| ", " |\n"));
	}

	@FunctionalInterface
	private interface Cell<R> {

		String text(LockStrategy lock, R row);

	}

}
