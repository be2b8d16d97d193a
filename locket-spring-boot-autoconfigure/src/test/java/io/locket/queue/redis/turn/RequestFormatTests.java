package io.locket.queue.redis.turn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RequestFormat}.
 */
class RequestFormatTests {

	@Test
	void requestHasItsPartsInTheOrderOfTheScript() {
		PlainTurn first = turn("id", "thread-ä", 70_000);
		ByteBuffer reader = ByteBuffer
			.wrap(RequestFormat.encode(List.of(first, turn("other", "thread-b", 1)), first.next()));
		assertThat((int) reader.getShort()).isEqualTo(2);
		assertThat(reader.getInt()).isEqualTo(2);
		assertThat((int) reader.getShort()).isEqualTo(2 + 2 + 2 + 8);
		assertThat(text(reader)).isEqualTo("id");
		assertThat(text(reader)).isEqualTo("instance");
		assertThat(text(reader)).isEqualTo("w:poller-id");
		assertThat(text(reader)).isEqualTo("high");
		assertThat(reader.getInt()).isEqualTo(300);
		assertThat(text(reader)).isEqualTo("low");
		assertThat(reader.getInt()).isZero();
		assertThat(reader.getInt()).isOne();
		assertThat(text(reader)).isEqualTo("unknown");
		assertTurn(reader, 70_000, "thread-ä", 9);
		assertTurn(reader, 1, "thread-b", 8);
		assertThat(reader.hasRemaining()).isFalse();
	}

	@Test
	void noRequestIsAnEmptyArgument() {
		assertThat(RequestFormat.encode(List.of(new PlainTurn(List.of(), null)), null)).isEmpty();
	}

	@Test
	void textThatIsTooLongIsRefused() {
		PlainTurn turn = turn("id", "x".repeat(1 << 16), 1);
		assertThatIllegalArgumentException().isThrownBy(() -> RequestFormat.encode(List.of(turn), turn.next()))
			.withMessage("A text must have less than 65536 bytes");
	}

	private static void assertTurn(ByteBuffer reader, int slots, String thread, int size) {
		assertThat(reader.getInt()).isEqualTo(slots);
		assertThat((int) reader.getShort()).isEqualTo(2 + size + 2);
		assertThat(text(reader)).isEqualTo(thread);
		assertThat((int) reader.getShort()).isZero();
	}

	private static String text(ByteBuffer reader) {
		byte[] text = new byte[reader.getShort()];
		reader.get(text);
		return new String(text, StandardCharsets.UTF_8);
	}

	private static PlainTurn turn(String id, String thread, int slots) {
		List<QueueLimit> queues = List.of(new QueueLimit("high", 300), new QueueLimit("low", 0));
		return new PlainTurn(List.of(),
				new ReservationRequest(id, "poller-" + id, "instance", thread, queues, slots, Set.of("unknown")));
	}

}
