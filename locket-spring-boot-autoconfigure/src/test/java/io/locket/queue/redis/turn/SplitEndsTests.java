package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SplitEnds}.
 */
class SplitEndsTests {

	/**
	 * Ends of plain runs are lower-case letters.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "", "a", "A", "abc", "ABC", "aBc", "AbC", "abC", "Abc", "aBBcA" })
	void resultsHaveTheOrderOfTheEnds(String letters) {
		List<RunEnd> ends = letters.chars()
			.mapToObj((letter) -> new RunEnd(Character.toString(letter), "token", RunEnd.Kind.SUCCEEDED, Duration.ZERO,
					null))
			.toList();
		SplitEnds split = new SplitEnds(ends.stream().filter(SplitEndsTests::isPlain).toList(), List.of(),
				ends.stream().filter((end) -> !isPlain(end)).toList());
		assertThat(split.merge(ends, results(split.plain()), results(split.others()))).isEqualTo(results(ends));
	}

	private static boolean isPlain(RunEnd end) {
		return Stream.of("a", "b", "c").anyMatch(end.id()::equals);
	}

	private static List<EndResult> results(List<RunEnd> ends) {
		return ends.stream().map((end) -> new EndResult(end.id(), true, JobState.SUCCEEDED)).toList();
	}

}
