package io.locket.queue.redis.turn;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.spi.ReservationRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TurnReply}.
 */
class TurnReplyTests {

	@Test
	void turnsGetTheJobsInTheirOrder() {
		List<TurnReply> replies = TurnReply.read(reply(1L, 500L, 77L, 1L, "low", "a", "A", "b", "B", "c", "C"),
				List.of(turn(2), new PlainTurn(List.of(), null), turn(3), turn(1)));
		assertThat(replies).extracting((reply) -> reply.jobs().texts())
			.containsExactly(List.of("a", "A", "b", "B"), List.of(), List.of("c", "C"), List.of());
		assertThat(replies).allSatisfy((reply) -> {
			assertThat(reply.isCutShort()).isTrue();
			assertThat(reply.next()).isEqualTo(Duration.ofMillis(500));
			assertThat(reply.time()).isEqualTo(77);
			assertThat(reply.idle()).containsExactly("low");
		});
	}

	@Test
	void replyMayHaveNothingDueAndNoIdleQueue() {
		TurnReply reply = TurnReply.read(reply(0L, -1L, 77L, 0L), List.of(turn(1))).get(0);
		assertThat(reply.isCutShort()).isFalse();
		assertThat(reply.next()).isNull();
		assertThat(reply.idle()).isEmpty();
		assertThat(reply.jobs().size()).isZero();
	}

	@Test
	void emptyReplyIsNothingForEachTurn() {
		assertThat(TurnReply.read(reply(), List.of(turn(1), turn(2)))).containsExactly(TurnReply.NOTHING,
				TurnReply.NOTHING);
	}

	private static BinaryReply reply(Object... parts) {
		return new BinaryReply(List.of(parts));
	}

	private static PlainTurn turn(int slots) {
		return new PlainTurn(List.of(),
				new ReservationRequest("id", "poller", "instance", "thread", List.of(), slots, Set.of()));
	}

}
