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
	void successfulRunsOfOneReservationAreFound() {
		PlainRun first = add("a", "same");
		PlainRun second = add("b", "same");
		assertThat(this.runs.find(List.of(success("a"), success("b")))).containsExactly(first, second);
		assertThat(this.runs.find(List.of())).isEmpty();
	}

	@Test
	void runOfAnotherProcessIsNotFound() {
		add("a", "same");
		assertThat(this.runs.find(List.of(success("a"), success("unknown")))).isNull();
	}

	@Test
	void runsOfSeveralReservationsAreNotEndedTogether() {
		add("a", "one");
		add("b", "other");
		assertThat(this.runs.find(List.of(success("a"), success("b")))).isNull();
		assertThat(this.runs.find(List.of(success("b")))).hasSize(1);
	}

	@Test
	void runIsNotEndedTwiceByOneCall() {
		add("a", "same");
		assertThat(this.runs.find(List.of(success("a"), success("a")))).isNull();
	}

	@Test
	void endThatStoresMoreThanASuccessIsNotPlain() {
		add("a", "same");
		String token = "token-a";
		assertThat(
				this.runs.find(List.of(new RunEnd("a", token, RunEnd.Kind.RETRY, Duration.ofSeconds(1), "it broke"))))
			.isNull();
		assertThat(this.runs.find(List.of(new RunEnd("a", token, RunEnd.Kind.SUCCEEDED, Duration.ZERO, "warned"))))
			.isNull();
		assertThat(this.runs
			.find(List.of(success("a").withProgress(new RunProgress(new RunToken("a", token), 1, 2, null))))).isNull();
	}

	@Test
	void endOfAnotherJobWithTheTokenIsNotFound() {
		add("a", "same");
		assertThat(this.runs.find(List.of(new RunEnd("b", "token-a", RunEnd.Kind.SUCCEEDED, Duration.ZERO, null))))
			.isNull();
	}

	@Test
	void endedRunIsForgotten() {
		add("a", "same");
		this.runs.remove(List.of(success("a"), success("unknown")));
		assertThat(this.runs.find(List.of(success("a")))).isNull();
	}

	@Test
	void changedRunIsForgotten() {
		add("a", "same");
		add("b", "same");
		this.runs.changed(new RunToken("a", "token-a"));
		assertThat(this.runs.find(List.of(success("a")))).isNull();
		assertThat(this.runs.find(List.of(success("b")))).hasSize(1);
	}

	@Test
	void oldestRunsAreForgotten() {
		IntStream.rangeClosed(0, PlainRuns.REMEMBERED).forEach((i) -> add("job" + i, "same"));
		assertThat(this.runs.find(List.of(success("job0")))).isNull();
		assertThat(this.runs.find(List.of(success("job1")))).isNotNull();
	}

	@Test
	void moreEndsThanAScriptTakesAreNotPlain() {
		List<RunEnd> ends = IntStream.range(0, 1001).mapToObj((i) -> success(add("job" + i, "same").id())).toList();
		assertThat(this.runs.find(ends.subList(0, 1000))).hasSize(1000);
		assertThat(this.runs.find(ends)).isNull();
	}

	private PlainRun add(String id, String begin) {
		PlainRun run = new PlainRun(id, "token-" + id, "nonce", begin.getBytes(), "job", "default", 1, 2, null, null);
		this.runs.add(run);
		return run;
	}

	private static RunEnd success(String id) {
		return new RunEnd(id, "token-" + id, RunEnd.Kind.SUCCEEDED, Duration.ZERO, null);
	}

}
