package io.locket.queue.spi;

import java.util.List;

import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ReservationRequest}.
 */
class ReservationRequestTests {

	@Test
	void queueIsRequestedOnceOnly() {
		List<QueueLimit> queues = List.of(new QueueLimit("a", 0), new QueueLimit("b", 0), new QueueLimit("a", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new ReservationRequest("r", "w", "i", "t", queues, 1))
			.withMessageContaining("twice");
	}

}
