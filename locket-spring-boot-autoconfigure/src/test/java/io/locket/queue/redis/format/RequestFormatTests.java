package io.locket.queue.redis.format;

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
		FieldReader reader = encoded("thread-ä");
		assertThat(reader.number(2)).isEqualTo(2 + 2 + 2 + 8 + 2 + 9 + 2);
		assertThat(reader.number(2)).isEqualTo(2 + 2 + 2 + 8);
		assertThat(reader.number(4)).isEqualTo(70_000);
		assertThat(reader.number(4)).isEqualTo(2);
		assertThat(reader.text(2)).isEqualTo("id");
		assertThat(reader.text(2)).isEqualTo("instance");
		assertThat(reader.text(2)).isEqualTo("thread-ä");
		assertThat(reader.number(2)).isZero();
		assertThat(reader.text(2)).isEqualTo("w:poller");
		assertThat(reader.text(2)).isEqualTo("high");
		assertThat(reader.number(4)).isEqualTo(300);
		assertThat(reader.text(2)).isEqualTo("low");
		assertThat(reader.number(4)).isZero();
		assertThat(reader.number(4)).isOne();
		assertThat(reader.text(2)).isEqualTo("unknown");
		assertThat(reader.rest()).isEmpty();
	}

	@Test
	void textThatIsTooLongIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> encoded("x".repeat(1 << 16)))
			.withMessage("A text must have less than 65536 bytes");
	}

	private static FieldReader encoded(String thread) {
		List<QueueLimit> queues = List.of(new QueueLimit("high", 300), new QueueLimit("low", 0));
		return new FieldReader(RequestFormat
			.encode(new ReservationRequest("id", "poller", "instance", thread, queues, 70_000, Set.of("unknown"))));
	}

}
