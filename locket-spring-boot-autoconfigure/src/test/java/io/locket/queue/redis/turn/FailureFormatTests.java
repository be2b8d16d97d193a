package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunToken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailureFormat}.
 */
class FailureFormatTests {

	private static final String TOKEN = "run:id:nonce";

	private final FailureFormat format = new FailureFormat("10 0");

	@Test
	void runsHaveTheirPartsInTheOrderOfTheScript() {
		RunEnd first = new RunEnd("id", TOKEN, RunEnd.Kind.RETRY, Duration.ofSeconds(2), "it \"broke\"", null, "trace");
		ReservationRequest next = new ReservationRequest("request", "poller", "instance", "thread",
				List.of(new QueueLimit("high", 3), new QueueLimit("low", 0), new QueueLimit("none", -1)), 1);
		assertThat(this.format.arguments(List.of(first, failure("a/b")), next)).containsExactly("10 0",
				" high=3 low=0 none=0 ", "id", "nonce", "2000", "it \"broke\"", "trace", "\"it \\\"broke\\\"\"", "id",
				"nonce", "1000", "a/b", "", "\"a\\/b\"");
		assertThat(this.format.arguments(List.of(failure("again")), null)).startsWith("10 0", " ");
	}

	@Test
	void failedRunsThatStoreNothingElseAreCovered() {
		assertThat(this.format.covers(List.of(failure("it broke"), failure("again")))).isTrue();
		assertThat(this.format.covers(Collections.nCopies(FailureFormat.MOST_RUNS, failure("it broke")))).isTrue();
	}

	@Test
	void otherRunsAreNotCovered() {
		RunEnd failure = failure("it broke");
		RunEnd success = new RunEnd("id", TOKEN, RunEnd.Kind.SUCCEEDED, Duration.ZERO, null);
		assertThat(this.format.covers(List.of(failure, success))).isFalse();
		assertThat(this.format.covers(List.of(failure("")))).isFalse();
		assertThat(this.format.covers(List.of(new RunEnd("id", TOKEN, RunEnd.Kind.RETRY, Duration.ZERO, null))))
			.isFalse();
		assertThat(this.format
			.covers(List.of(failure.withProgress(new RunProgress(new RunToken("id", TOKEN), 1, 2, null))))).isFalse();
		assertThat(this.format.covers(Collections.nCopies(FailureFormat.MOST_RUNS + 1, failure))).isFalse();
	}

	private static RunEnd failure(String error) {
		return new RunEnd("id", TOKEN, RunEnd.Kind.RETRY, Duration.ofSeconds(1), error);
	}

}
