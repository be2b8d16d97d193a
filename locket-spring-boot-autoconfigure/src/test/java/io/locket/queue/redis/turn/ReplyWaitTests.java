package io.locket.queue.redis.turn;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReplyWait}.
 */
class ReplyWaitTests {

	private static final long LONGEST = ReplyWait.LONGEST.toNanos();

	private static final long LONG_CALL = ReplyWait.LONG_CALL.toNanos();

	private final ReplyWait wait = new ReplyWait();

	@Test
	void turnsWaitForTheReplyOnlyWhileCallsAreShort() {
		assertThat(waitAfter(1, LONG_CALL - 1)).isEqualTo(LONGEST);
		assertThat(waitAfter(100, LONG_CALL)).isEqualTo(ReplyWait.SHORTEST.toNanos());
		assertThat(waitAfter(1, LONG_CALL - 1)).isEqualTo(LONGEST);
	}

	@Test
	void turnsWaitForAPartOfALongCall() {
		assertThat(waitAfter(100, 8 * LONG_CALL)).isEqualTo(LONG_CALL / 2);
		assertThat(waitAfter(100, 100 * LONG_CALL)).isEqualTo(LONGEST);
	}

	@Test
	void oneLongCallIsNoReasonToWaitLess() {
		assertThat(waitAfter(1, LONG_CALL / 2)).isEqualTo(LONGEST);
		assertThat(waitAfter(1, 100 * LONG_CALL)).isEqualTo(LONGEST);
	}

	private long waitAfter(int calls, long took) {
		IntStream.range(0, calls).forEach((call) -> this.wait.replied(took));
		return this.wait.nanos();
	}

}
