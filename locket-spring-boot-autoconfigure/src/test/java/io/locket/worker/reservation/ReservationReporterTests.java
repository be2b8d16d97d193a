package io.locket.worker.reservation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.event.ReservationCompleted;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.FakeJobQueue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link ReservationReporter}.
 */
class ReservationReporterTests {

	private static final Duration CALL = Duration.ofMillis(3);

	private final FakeJobQueue queue = new FakeJobQueue();

	private final List<ReservationCompleted> events = new CopyOnWriteArrayList<>();

	private final JobEventPublisher publisher = new JobEventPublisher(
			List.of((event) -> this.events.add((ReservationCompleted) event)));

	private long now;

	private final ReservationReporter reporter = new ReservationReporter(this.queue, this.publisher, () -> this.now);

	private int requests;

	@Test
	void eachReservationIsPublished() {
		this.queue.beforeReply = () -> this.now += CALL.toNanos();
		this.queue.put("q", "job");
		this.queue.put("q", "job");
		List<ReservedJob> taken = this.reporter.reserve(request(2)).jobs();
		this.reporter.reserve(request(1));
		this.reporter.settle(taken.stream().map(RunEnd::succeeded).toList(), request(1));
		assertThat(this.events).containsExactly(new ReservationCompleted(2, CALL, null),
				new ReservationCompleted(0, CALL, null), new ReservationCompleted(0, CALL, null));
	}

	@Test
	void callThatRequestsNoJobsIsNotPublished() {
		this.queue.put("q", "job");
		ReservedJob job = this.queue.reserve(request(1)).jobs().get(0);
		this.reporter.settle(List.of(RunEnd.succeeded(job)), null);
		this.reporter.listen((queue) -> {
		}).close();
		assertThat(this.queue.ends).hasSize(1);
		assertThat(this.events).isEmpty();
	}

	@Test
	void reservationWithoutAReplyIsPublishedWithItsError() {
		this.queue.failing.set(1);
		assertThatThrownBy(() -> this.reporter.reserve(request(1))).hasMessage("no reply");
		assertThat(this.events).singleElement()
			.satisfies((event) -> assertThat(event.error()).contains("no reply"))
			.extracting(ReservationCompleted::jobs)
			.isEqualTo(0);
	}

	private ReservationRequest request(int slots) {
		return new ReservationRequest("r" + ++this.requests, "poller", "instance", "thread",
				List.of(new QueueLimit("q", 0)), slots);
	}

}
