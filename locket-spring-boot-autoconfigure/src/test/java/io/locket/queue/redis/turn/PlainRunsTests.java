package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunToken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainRuns}.
 */
class PlainRunsTests {

	private final PlainRuns runs = new PlainRuns();

	@Test
	void successfulRunsArePlain() {
		PlainRun first = add("a", "same");
		PlainRun second = add("b", "same");
		SplitEnds ends = this.runs.split(List.of(success("a"), success("b")));
		assertThat(ends.runs()).containsExactly(first, second);
		assertThat(ends.plain()).containsExactly(success("a"), success("b"));
		assertThat(ends.others()).isEmpty();
		assertThat(this.runs.split(List.of())).isEqualTo(new SplitEnds(List.of(), List.of(), List.of()));
	}

	@Test
	void runsOfSeveralReservationsArePlain() {
		PlainRun first = add("a", "one");
		PlainRun second = add("b", "other");
		assertThat(this.runs.split(List.of(success("a"), success("b"))).runs()).containsExactly(first, second);
	}

	@Test
	void runOfAnotherProcessIsNotPlain() {
		PlainRun run = add("a", "same");
		SplitEnds ends = this.runs.split(List.of(success("unknown"), success("a")));
		assertThat(ends.runs()).containsExactly(run);
		assertThat(ends.plain()).containsExactly(success("a"));
		assertThat(ends.others()).containsExactly(success("unknown"));
	}

	@Test
	void runIsNotEndedTwiceByOneCall() {
		PlainRun run = add("a", "same");
		SplitEnds ends = this.runs.split(List.of(success("a"), success("a")));
		assertThat(ends.runs()).containsExactly(run);
		assertThat(ends.others()).containsExactly(success("a"));
	}

	@Test
	void endThatStoresMoreThanASuccessIsNotPlain() {
		add("a", "same");
		String token = "token-a";
		assertIsNotPlain(new RunEnd("a", token, RunEnd.Kind.RETRY, Duration.ofSeconds(1), "it broke"));
		assertIsNotPlain(new RunEnd("a", token, RunEnd.Kind.SUCCEEDED, Duration.ZERO, "warned"));
		assertIsNotPlain(success("a").withProgress(new RunProgress(new RunToken("a", token), 1, 2, null)));
	}

	@Test
	void endOfAnotherJobWithTheTokenIsNotPlain() {
		add("a", "same");
		assertIsNotPlain(new RunEnd("b", "token-a", RunEnd.Kind.SUCCEEDED, Duration.ZERO, null));
	}

	@Test
	void endedRunIsForgotten() {
		add("a", "same");
		this.runs.remove(List.of(success("a"), success("unknown")));
		assertIsNotPlain(success("a"));
	}

	@Test
	void changedRunIsForgotten() {
		add("a", "same");
		add("b", "same");
		this.runs.changed(new RunToken("a", "token-a"));
		assertIsNotPlain(success("a"));
		assertThat(this.runs.split(List.of(success("b"))).runs()).hasSize(1);
	}

	@Test
	void oldestRunsAreForgotten() {
		IntStream.rangeClosed(0, PlainRuns.REMEMBERED).forEach((i) -> add("job" + i, "same"));
		assertIsNotPlain(success("job0"));
		assertThat(this.runs.split(List.of(success("job1"))).runs()).hasSize(1);
	}

	@Test
	void endsThatAScriptCannotTakeAreNotPlain() {
		List<RunEnd> ends = IntStream.range(0, 1001).mapToObj((i) -> success(add("job" + i, "same").id())).toList();
		SplitEnds split = this.runs.split(ends);
		assertThat(split.plain()).isEqualTo(ends.subList(0, 1000));
		assertThat(split.others()).isEqualTo(ends.subList(1000, 1001));
	}

	private void assertIsNotPlain(RunEnd end) {
		assertThat(this.runs.split(List.of(end))).isEqualTo(new SplitEnds(List.of(), List.of(), List.of(end)));
	}

	private PlainRun add(String id, String begin) {
		PlainRun run = new PlainRun(id, "token-" + id, "nonce", begin.getBytes(), "job", "default", 1, 2, null, null,
				0);
		this.runs.add(run);
		return run;
	}

	private static RunEnd success(String id) {
		return new RunEnd(id, "token-" + id, RunEnd.Kind.SUCCEEDED, Duration.ZERO, null);
	}

}
