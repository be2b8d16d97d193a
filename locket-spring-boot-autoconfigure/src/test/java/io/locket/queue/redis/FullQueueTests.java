package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.locket.LockStrategy;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.testing.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the notification of other workers when a run ends in a queue that runs as
 * many jobs as it may, with and without the fast path.
 */
@ParameterizedClass
@ValueSource(booleans = { true, false })
class FullQueueTests {

	@Parameter
	boolean fastPath;

	private QueueFixture fixture;

	private WorkMessages messages;

	private int requests;

	@BeforeEach
	void listen() throws InterruptedException {
		this.fixture = QueueFixture.createSilent(RedisServer.shared(), RedisServer.newNamespace(),
				this.fastPath ? QueueScripts.load() : GeneralScripts.load());
		this.messages = new WorkMessages(this.fixture);
	}

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.messages.close();
		this.fixture.close();
	}

	@Test
	void endWithoutARequestNotifiesOfAFullQueue() throws InterruptedException {
		enqueue("full", "a", "b");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		assertThat(notifiedOf(jobs.get(0), null)).containsExactly("full");
	}

	@Test
	void endNotifiesOfAFullQueueThatIsNotRequested() throws InterruptedException {
		enqueue("full", "a", "b");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		assertThat(notifiedOf(jobs.get(0), request(new QueueLimit("other", 0)))).containsExactly("full");
	}

	@Test
	void endNotifiesOfAFullQueueWhenItIsHandedAJobOfAnotherOne() throws InterruptedException {
		enqueue("full", "a", "b");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		enqueue("other", "c");
		assertThat(notifiedOf(jobs.get(0), request(new QueueLimit("other", 0), new QueueLimit("full", 1))))
			.containsExactly("full");
	}

	@Test
	void endDoesNotNotifyWhenItIsHandedTheNextJobOfTheFullQueue() throws InterruptedException {
		enqueue("full", "a", "b", "c");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		assertThat(notifiedOf(jobs.get(0), request(new QueueLimit("full", 1)))).isEmpty();
	}

	@Test
	void endDoesNotNotifyOfAQueueThatWasNotFull() throws InterruptedException {
		enqueue("full", "a", "b");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 2));
		enqueue("other", "c");
		assertThat(notifiedOf(jobs.get(0), request(new QueueLimit("other", 0), new QueueLimit("full", 2)))).isEmpty();
	}

	@Test
	void endDoesNotNotifyOfAQueueWithoutReadyJobs() throws InterruptedException {
		enqueue("full", "a");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		assertThat(notifiedOf(jobs.get(0), null)).isEmpty();
	}

	@Test
	void endDoesNotNotifyOfAPausedQueue() throws InterruptedException {
		enqueue("full", "a", "b");
		List<ReservedJob> jobs = reserve(new QueueLimit("full", 1));
		this.fixture.store.pause("full");
		assertThat(notifiedOf(jobs.get(0), null)).isEmpty();
	}

	@Test
	void failureNotifiesOfAFullQueue() throws InterruptedException {
		enqueue("full", "a", "b");
		ReservedJob job = reserve(new QueueLimit("full", 1)).get(0);
		this.messages.untilNow();
		this.fixture.queue.settle(List.of(RunEnd.retry(job, Duration.ofMinutes(1), "it broke")), null);
		assertThat(this.messages.untilNow()).containsExactly("full");
	}

	/**
	 * A job that waits for a worker with a handler is not counted as ready.
	 */
	@Test
	void endNotifiesOfAFullQueueWithAJobThatIsSetAside() throws InterruptedException {
		this.fixture.queue.enqueue(QueueFixture.job("fresh", "full", LockStrategy.NONE).copy().job("fresh").build());
		assertThat(this.fixture.queue.reserve(QueueFixture.leavingOut("fresh", 1, "full")).jobs()).isEmpty();
		enqueue("full", "a");
		ReservationRequest request = request(new QueueLimit("full", 1));
		List<ReservedJob> jobs = this.fixture.queue
			.reserve(new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
					request.queues(), 1, Set.of("fresh")))
			.jobs();
		assertThat(jobs).extracting((job) -> job.record().id()).containsExactly("a");
		assertThat(notifiedOf(jobs.get(0), null)).containsExactly("full");
	}

	private List<ReservedJob> reserve(QueueLimit limit) {
		List<ReservedJob> jobs = this.fixture.queue.reserve(request(limit)).jobs();
		assertThat(jobs).hasSize(1);
		return jobs;
	}

	private ReservationRequest request(QueueLimit... limits) {
		return new ReservationRequest("request" + ++this.requests, "poller", "i", "t", List.of(limits), 1);
	}

	/**
	 * Ends a run, and returns the queues that workers are notified of.
	 */
	private List<String> notifiedOf(ReservedJob job, @Nullable ReservationRequest next) throws InterruptedException {
		this.messages.untilNow();
		this.fixture.queue.settle(List.of(RunEnd.succeeded(job)), next);
		return this.messages.untilNow();
	}

	private void enqueue(String queue, String... ids) {
		for (String id : ids) {
			this.fixture.queue.enqueue(QueueFixture.job(id, queue, LockStrategy.NONE));
		}
	}

}
