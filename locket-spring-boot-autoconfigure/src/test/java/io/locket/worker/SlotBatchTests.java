package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunEnd.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the number of jobs that a {@link Slot} takes at once, and the time for which
 * it holds them.
 */
class SlotBatchTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final CountDownLatch release = new CountDownLatch(1);

	private final CountDownLatch slow = new CountDownLatch(1);

	SlotBatchTests() {
		this.fixture.batch = 8;
		this.fixture.handle("job", () -> null);
	}

	@AfterEach
	void close() {
		this.release.countDown();
		this.fixture.close();
	}

	@Test
	void batchDoublesWhileBodiesAreShortAndIsEndedByTheCallThatTakesTheNext() {
		put(40, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 40);
		assertThat(this.queue.settlements).extracting(List::size).containsExactly(1, 2, 4, 8, 8, 8, 8, 1);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(40);
		assertThat(this.queue.requests.stream().limit(8)).extracting(ReservationRequest::slots)
			.containsExactly(1, 2, 4, 8, 8, 8, 8, 8);
	}

	@Test
	void threadThatRanAJobEndsItAndTakesTheNext() {
		List<String> threads = new CopyOnWriteArrayList<>();
		this.fixture.concurrency = 4;
		this.fixture.handle("job", () -> threads.add(Thread.currentThread().getName()));
		put(1, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.settlements.size() == 1);
		assertThat(this.queue.requestsWithEnds).extracting(ReservationRequest::thread)
			.containsExactlyElementsOf(threads);
	}

	@Test
	void requestsHaveDifferentIds() {
		put(40, "q", "job");
		this.fixture.concurrency = 4;
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 40);
		assertThat(this.queue.requests).extracting(ReservationRequest::id).doesNotHaveDuplicates();
	}

	@Test
	void batchIsOneAfterABodyThatTookLong() {
		this.fixture.handle("long", () -> {
			this.fixture.ahead.addAndGet(Duration.ofSeconds(7).toNanos());
			return null;
		});
		put(3, "q", "job");
		put(1, "q", "long");
		put(3, "q", "job");
		put(16, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 23);
		assertThat(this.queue.settlements).extracting(List::size).containsExactly(1, 2, 4, 1, 1, 2, 4, 8);
	}

	@Test
	void batchIsOneWhileAnotherSlotWaits() {
		this.fixture.concurrency = 2;
		put(31, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 31);
		awaitRest();
		this.queue.requests.clear();
		this.queue.add("q", "job");
		await().until(() -> this.queue.ends.size() == 32);
		assertThat(this.queue.requests.get(0).slots()).isEqualTo(1);
	}

	@Test
	void batchIsOneFromAQueueWithALimit() {
		put(10, "limited", "job");
		this.fixture.start("limited");
		await().until(() -> this.queue.ends.size() == 10);
		assertThat(this.queue.settlements).hasSize(10);
	}

	@Test
	void jobsThatAreHeldTooLongBehindABodyGoBack() {
		this.fixture.batchHold = Duration.ofMillis(500);
		this.fixture.handle("slow", this::awaitRelease);
		put(3, "q", "job");
		put(1, "q", "slow");
		put(3, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(Kind.RETURNED).size() == 3);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(3);
		await().until(() -> this.fixture.heartbeat.size() == 1);
		this.release.countDown();
		await().until(() -> this.queue.ends.size() == 7);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsOnly(Kind.SUCCEEDED, Kind.RETURNED);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(4);
	}

	@Test
	void jobsThatHaveEndedAreSettledThoughALaterBodyOfTheBatchIsSlow() {
		this.fixture.batchHold = Duration.ofMillis(500);
		startWithASlowBodyBetweenOthers();
		await().until(() -> this.queue.ends.size() == 6);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(5);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		await().until(() -> this.fixture.heartbeat.size() == 1);
		this.release.countDown();
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 6);
		assertThat(this.queue.ends).hasSize(7).doesNotHaveDuplicates();
	}

	@Test
	void jobsThatHaveEndedAreSettledAtTheStopThoughALaterBodyContinues() throws Exception {
		this.fixture.batchHold = Duration.ofHours(1);
		startWithASlowBodyBetweenOthers();
		await().until(() -> this.slow.getCount() == 0);
		assertThat(this.queue.ends).hasSize(3);
		Thread stop = new Thread(this.fixture::close);
		stop.start();
		await().until(() -> this.queue.ends.size() == 6);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(5);
		this.release.countDown();
		stop.join();
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(6);
	}

	@Test
	void hundredsOfJobsThatHaveNotStartedAreReturnedAtTheStop() throws Exception {
		this.fixture.batch = 256;
		this.fixture.batchHold = Duration.ofHours(1);
		this.fixture.handle("slow", () -> {
			this.slow.countDown();
			return awaitRelease();
		});
		put(255, "q", "job");
		put(1, "q", "slow");
		put(255, "q", "job");
		this.fixture.start("q");
		await().until(() -> this.slow.getCount() == 0);
		Thread stop = new Thread(this.fixture::close);
		stop.start();
		await().until(() -> this.fixture.heartbeat.size() == 1);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(255);
		this.release.countDown();
		stop.join();
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(256);
	}

	/**
	 * A job that has ended may have been the reason why its queue had nothing to run.
	 */
	@Test
	void queueOfAJobThatIsSettledLateIsRequestedAgain() {
		CountDownLatch first = new CountDownLatch(1);
		this.fixture.concurrency = 2;
		this.fixture.pollInterval = Duration.ofMinutes(5);
		this.fixture.batchHold = Duration.ofSeconds(10);
		this.fixture.handle("first", () -> first.await(10, TimeUnit.SECONDS));
		put(1, "q", "first");
		startWithASlowBodyBetweenOthers();
		await().until(() -> this.slow.getCount() == 0);
		first.countDown();
		awaitRest();
		this.queue.requests.clear();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(10).toNanos());
		await().until(() -> this.queue.requests.stream().anyMatch((request) -> !request.queues().isEmpty()));
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(6);
	}

	/**
	 * Starts with calls for one, two and four jobs. The third one of the last call is
	 * slow.
	 */
	private void startWithASlowBodyBetweenOthers() {
		this.fixture.handle("slow", () -> {
			this.slow.countDown();
			return awaitRelease();
		});
		put(5, "q", "job");
		put(1, "q", "slow");
		put(1, "q", "job");
		this.fixture.start("q");
	}

	private void awaitRest() {
		int[] last = { -1 };
		await().pollInterval(Duration.ofMillis(80)).until(() -> {
			int calls = this.queue.calls.get();
			boolean still = calls == last[0];
			last[0] = calls;
			return still;
		});
	}

	private void put(int count, String queue, String job) {
		for (int i = 0; i < count; i++) {
			this.queue.put(queue, job);
		}
	}

	private Object awaitRelease() throws InterruptedException {
		return this.release.await(10, TimeUnit.SECONDS);
	}

}
