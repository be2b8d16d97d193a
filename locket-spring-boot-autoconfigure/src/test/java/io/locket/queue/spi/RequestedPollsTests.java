package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.JobStore.PollRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the polls that idle workers record on request.
 */
class RequestedPollsTests extends AbstractQueueTests {

	private int requests;

	private void poll(String instance, String... queues) {
		List<QueueLimit> limits = List.of(queues).stream().map((queue) -> new QueueLimit(queue, 0)).toList();
		this.queue.reserve(new ReservationRequest("request" + this.requests++, "poller-" + instance, instance, "thread",
				limits, queues.length));
	}

	private @Nullable Instant lastSeen(String instance) {
		return this.store.workers()
			.stream()
			.filter((worker) -> worker.instance().equals(instance))
			.map(WorkerInfo::lastSeen)
			.findFirst()
			.orElse(null);
	}

	@Test
	void idlePollIsNotRecorded() {
		poll("a", "q");
		poll("quiet");
		Instant first = this.harness.now();
		this.user.advance(Duration.ofMinutes(20));
		poll("a", "q");
		poll("quiet");
		assertThat(lastSeen("a")).isEqualTo(first);
		assertThat(lastSeen("quiet")).isEqualTo(first);
	}

	@Test
	void firstPollAfterARequestIsRecorded() {
		poll("a", "q");
		poll("quiet");
		Instant first = this.harness.now();
		this.user.advance(Duration.ofMinutes(20));
		assertThat(this.store.requestPolls(first)).isPresent();
		this.user.advance(Duration.ofSeconds(1));
		poll("a", "q");
		poll("quiet");
		Instant second = this.harness.now();
		this.user.advance(Duration.ofSeconds(1));
		poll("a", "q");
		poll("quiet");
		assertThat(lastSeen("a")).isEqualTo(second);
		assertThat(lastSeen("quiet")).isEqualTo(second);
	}

	@Test
	void pollThatFindsOnlyHeldKeysIsRecordedAfterARequest() {
		this.harness.takeForeign(TestJob.key("k"), Duration.ofHours(1));
		this.user.enqueue(TestJob.of("a").with(LockStrategy.WHILE_EXECUTING, "k"));
		poll("a", "q");
		this.user.advance(Duration.ofMinutes(20));
		this.store.requestPolls(Instant.EPOCH);
		this.user.advance(Duration.ofSeconds(1));
		this.user.enqueue(TestJob.of("b").with(LockStrategy.WHILE_EXECUTING, "k"));
		poll("a", "q");
		assertThat(lastSeen("a")).isEqualTo(this.harness.now());
	}

	@Test
	void idleWorkerStaysListedWithoutRequests() {
		for (int minute = 0; minute < 180; minute++) {
			poll("a", "q");
			this.user.advance(Duration.ofMinutes(1));
		}
		assertThat(lastSeen("a")).isAfter(this.harness.now().minus(Duration.ofMinutes(32)));
	}

	@Test
	void requestHasItsTimeAndThatOfTheOneBefore() {
		poll("a", "q");
		Instant seen = this.harness.now();
		this.user.advance(Duration.ofSeconds(29));
		assertThat(this.store.requestPolls(seen)).isEmpty();
		this.user.advance(Duration.ofSeconds(1));
		PollRequest first = this.store.requestPolls(seen).orElseThrow();
		assertThat(first).isEqualTo(new PollRequest(this.harness.now(), Instant.EPOCH));
		this.user.advance(Duration.ofSeconds(29));
		assertThat(this.store.requestPolls(seen)).isEmpty();
		this.user.advance(Duration.ofSeconds(1));
		assertThat(this.store.requestPolls(seen)).contains(new PollRequest(this.harness.now(), first.time()));
	}

	@Test
	void requestsGoOnIfTheClockIsSetBack() {
		poll("a", "q");
		Instant seen = this.harness.now();
		this.user.advance(Duration.ofMinutes(20));
		assertThat(this.store.requestPolls(seen)).isPresent();
		this.user.advance(Duration.ofMinutes(-10));
		assertThat(this.store.requestPolls(seen)).map(PollRequest::time).contains(this.harness.now());
		poll("a", "q");
		assertThat(lastSeen("a")).isEqualTo(this.harness.now());
	}

	@Test
	void pollAfterTheClockWasSetBackIsRecorded() {
		poll("a", "q");
		poll("quiet");
		this.user.advance(Duration.ofMinutes(-10));
		poll("a", "q");
		poll("quiet");
		assertThat(lastSeen("a")).isEqualTo(this.harness.now());
		assertThat(lastSeen("quiet")).isEqualTo(this.harness.now());
	}

	@Test
	void processThatEndedBeforeTheClockWasSetBackIsNotListedForever() {
		poll("a", "q");
		Instant seen = this.harness.now();
		this.user.advance(Duration.ofMinutes(-59));
		assertThat(lastSeen("a")).isEqualTo(seen);
		this.user.advance(Duration.ofMinutes(-1));
		assertThat(lastSeen("a")).isNull();
	}

	@Test
	void allWorkersAreNotified() {
		AtomicInteger notified = new AtomicInteger();
		try (JobQueue.Listening listening = this.queue.listen((queue) -> {
			if (queue == null) {
				notified.incrementAndGet();
			}
		})) {
			await().until(() -> {
				this.store.quiet("host/1/other");
				return notified.get() > 0;
			});
			int before = notified.get();
			this.store.requestPolls(Instant.EPOCH);
			await().until(() -> notified.get() > before);
		}
	}

	@Test
	void workerIsAwaitedIfItHasNotPolledSinceTheRequestButSinceTheOneBefore() {
		PollRequest request = new PollRequest(Instant.ofEpochMilli(2000), Instant.ofEpochMilli(1000));
		assertThat(request.awaits(seenAt(999))).isFalse();
		assertThat(request.awaits(seenAt(1000))).isTrue();
		assertThat(request.awaits(seenAt(1999))).isTrue();
		assertThat(request.awaits(seenAt(2000))).isFalse();
	}

	private static WorkerInfo seenAt(long millis) {
		return new WorkerInfo("a", Instant.ofEpochMilli(millis), 1, 0);
	}

}
