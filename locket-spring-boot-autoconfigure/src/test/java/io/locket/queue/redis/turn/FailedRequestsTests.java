package io.locket.queue.redis.turn;

import java.util.List;
import java.util.stream.IntStream;

import io.locket.queue.spi.ReservationRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FailedRequests}.
 */
class FailedRequestsTests {

	private final FailedRequests requests = new FailedRequests();

	@Test
	void requestHasFailedUntilItSucceeds() {
		this.requests.failed(request("a", "poller"));
		assertThat(this.requests.hasFailed(request("a", "poller"))).isTrue();
		assertThat(this.requests.hasFailed(request("b", "poller"))).isFalse();
		this.requests.succeeded(request("b", "poller"));
		assertThat(this.requests.hasFailed(request("a", "poller"))).isTrue();
		this.requests.succeeded(request("a", "poller"));
		assertThat(this.requests.hasFailed(request("a", "poller"))).isFalse();
	}

	@Test
	void reservationIsLostUntilItIsFound() {
		ReservationRequest lost = request("a", "poller");
		this.requests.lost(lost);
		assertThat(this.requests.lostBy("other")).isNull();
		assertThat(this.requests.lostBy("poller")).isSameAs(lost);
		this.requests.found(request("b", "poller"));
		assertThat(this.requests.lostBy("poller")).isSameAs(lost);
		this.requests.found(lost);
		assertThat(this.requests.lostBy("poller")).isNull();
	}

	@Test
	void oldestRequestsAreForgotten() {
		IntStream.rangeClosed(0, FailedRequests.REMEMBERED)
			.forEach((i) -> this.requests.failed(request("r" + i, "poller")));
		assertThat(this.requests.hasFailed(request("r0", "poller"))).isFalse();
		assertThat(this.requests.hasFailed(request("r1", "poller"))).isTrue();
	}

	private static ReservationRequest request(String id, String poller) {
		return new ReservationRequest(id, poller, "instance", "thread", List.of(), 1);
	}

}
