package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Worker}: its requests to the queue and their times.
 */
class WorkerTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	/**
	 * Checks an interrupt that arrives while the slot calls the queue.
	 */
	@Test
	void interruptBetweenTwoBodiesDoesNotReachTheSecondOne() {
		AtomicInteger interrupted = new AtomicInteger();
		this.queue.beforeReply = () -> Thread.currentThread().interrupt();
		this.fixture.handle("job", () -> {
			if (Thread.currentThread().isInterrupted()) {
				interrupted.incrementAndGet();
			}
			return null;
		});
		this.queue.put("q", "job");
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(RunEnd.Kind.SUCCEEDED).size() == 2);
		assertThat(interrupted).hasValue(0);
	}

	@Test
	void jobIsRunAndItsEndTakesTheNext() {
		this.fixture.handle("job", () -> null);
		for (int i = 0; i < 10; i++) {
			this.queue.put("q", "job");
		}
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 10);
		awaitRest();
		assertThat(this.queue.endsOf(RunEnd.Kind.SUCCEEDED)).hasSize(10);
		assertThat(this.queue.settlements).hasSize(10).allMatch((ends) -> ends.size() == 1);
		assertThat(this.queue.calls.get()).isLessThanOrEqualTo(12);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void requestHasThePollerAndTheLimits() {
		this.fixture.start("q", "limited");
		await().until(() -> !this.queue.requests.isEmpty());
		ReservationRequest request = this.queue.requests.get(0);
		assertThat(request.queues()).containsExactly(new QueueLimit("q", 0), new QueueLimit("limited", 3));
		assertThat(request.poller()).isEqualTo("instance/1/test-1");
		assertThat(request.thread()).isEqualTo("locket-worker-test-1");
		assertThat(request.instance()).isEqualTo("instance");
	}

	@Test
	void publicationWakesASlotLongBeforeThePoll() {
		this.fixture.handle("job", () -> null);
		this.fixture.concurrency = 4;
		this.fixture.start("q");
		awaitRest();
		this.queue.add("q", "job");
		await().atMost(Duration.ofSeconds(2)).until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void slotThatFindsWorkWakesTheNext() throws Exception {
		CountDownLatch all = new CountDownLatch(4);
		this.fixture.handle("job", () -> {
			all.countDown();
			all.await(10, TimeUnit.SECONDS);
			return null;
		});
		this.fixture.concurrency = 4;
		this.fixture.start("q");
		awaitRest();
		for (int i = 0; i < 5; i++) {
			this.queue.put("q", "job");
		}
		this.queue.tell("q");
		assertThat(all.await(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void publicationForOtherQueuesWakesNoSlot() {
		this.fixture.start("q");
		awaitRest();
		int calls = this.queue.calls.get();
		this.queue.tell("other");
		this.queue.tell("q");
		await().until(() -> this.queue.calls.get() > calls);
		awaitRest();
		assertThat(this.queue.calls.get()).isEqualTo(calls + 1);
	}

	@Test
	void publicationForOtherQueuesIsNotKept() {
		IdleQueueFilter idle = (IdleQueueFilter) this.fixture.filters.get(0);
		this.fixture.start("q");
		awaitRest();
		long moment = idle.moment();
		this.queue.tell("other");
		assertThat(idle.moment()).isEqualTo(moment);
		this.queue.tell("q");
		assertThat(idle.moment()).isGreaterThan(moment);
	}

	@Test
	void publicationCausesAPollOfTheQueuesThatMayHaveWorkOnly() {
		this.fixture.start("a", "b", "c");
		awaitRest();
		this.queue.requests.clear();
		this.queue.tell("b");
		await().until(() -> !this.queue.requests.isEmpty());
		assertThat(this.queue.requests.get(0).queues()).containsExactly(new QueueLimit("b", 0));
	}

	/**
	 * The notification of the job is lost, and the other queue always has jobs.
	 */
	@Test
	void busyWorkerPollsQueuesThatHadNothingFromTimeToTime() {
		this.fixture.pollInterval = Duration.ofMillis(50);
		this.fixture.handle("endless", () -> this.queue.put("b", "endless"));
		this.fixture.handle("first", () -> null);
		this.queue.put("b", "endless");
		this.queue.put("b", "endless");
		this.fixture.start("a", "b");
		await().until(() -> this.queue.requests.stream()
			.anyMatch((request) -> request.queues().equals(List.of(new QueueLimit("b", 0)))));
		String first = this.queue.put("a", "first");
		await().until(() -> this.queue.ends.stream().anyMatch((end) -> end.id().equals(first)));
	}

	@Test
	void idleGroupCostsAboutOneCallAnIntervalHoweverManySlotsItHas() throws Exception {
		this.fixture.pollInterval = Duration.ofMillis(200);
		this.fixture.concurrency = 16;
		this.queue.beforeReply = () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		this.fixture.start("a", "b");
		awaitRest();
		int before = this.queue.calls.get();
		// A rate is measured.
		Thread.sleep(2000);
		assertThat(this.queue.calls.get() - before).isBetween(6, 18);
		assertThat(this.queue.requests).filteredOn((request) -> request.slots() > 0)
			.allMatch((request) -> request.queues().size() == 2);
	}

	@Test
	void pollFindsJobsWithoutANotification() {
		this.fixture.handle("job", () -> null);
		this.fixture.pollInterval = Duration.ofMillis(200);
		this.fixture.concurrency = 4;
		this.fixture.start("q");
		awaitRest();
		this.queue.put("q", "job");
		await().atMost(Duration.ofSeconds(2)).until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void slotPollsWhenSomethingIsDue() {
		this.queue.next = Duration.ofMillis(100);
		this.fixture.start("q");
		await().atMost(Duration.ofSeconds(3)).until(() -> this.queue.calls.get() > 5);
	}

	@Test
	void jobRunsWhenTheNextIsDueInManyCenturies() {
		this.queue.next = Duration.ofDays(1_000_000);
		this.fixture.handle("job", () -> null);
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(RunEnd.Kind.SUCCEEDED).size() == 1);
	}

	@Test
	void replyThatWasCutShortIsFollowedAtOnce() {
		this.queue.cutShort = 20;
		this.fixture.start("q");
		await().atMost(Duration.ofSeconds(3)).until(() -> this.queue.calls.get() > 20);
		assertThat(this.queue.requests.stream().map(ReservationRequest::id).distinct()).hasSizeGreaterThan(20);
	}

	@Test
	void replyToAPublicationThatWasCutShortIsFollowedAtOnceThoughNothingWasReady() {
		this.fixture.start("q");
		await().until(() -> this.queue.calls.get() > 0 && this.queue.listener != null);
		int before = this.queue.calls.get();
		this.queue.cutShort = 20;
		Objects.requireNonNull(this.queue.listener).onWork("q");
		await().atMost(Duration.ofSeconds(3)).until(() -> this.queue.calls.get() - before > 20);
	}

	@Test
	void groupWithAQueueThatIsLeftOutPollsOnceInAnInterval() {
		this.fixture.filters.add((queues) -> queues.stream().filter((queue) -> !queue.equals("b")).toList());
		this.fixture.concurrency = 2;
		this.fixture.start("a", "b");
		await().until(() -> !this.queue.requests.isEmpty());
		awaitRest();
		assertThat(this.queue.requests).hasSizeLessThanOrEqualTo(3);
	}

	@Test
	void userFilterLeavesOutQueuesAlsoWhenPolling() {
		this.fixture.handle("job", () -> null);
		Set<String> closed = ConcurrentHashMap.newKeySet();
		closed.add("a");
		this.fixture.filters.add((queues) -> queues.stream().filter((name) -> !closed.contains(name)).toList());
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.queue.put("a", "job");
		this.queue.put("b", "job");
		this.fixture.start("a", "b");
		await().until(() -> this.queue.requests.size() > 5);
		assertThat(this.queue.ends).hasSize(1);
		closed.clear();
		await().until(() -> this.queue.ends.size() == 2);
	}

	@Test
	void quietWorkerPollsAndTakesNoJob() {
		this.fixture.handle("job", () -> null);
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.fixture.start("q");
		becomeQuiet();
		this.queue.put("q", "job");
		int before = this.queue.requests.size();
		await().until(() -> this.queue.requests.size() > before + 5);
		assertThat(List.copyOf(this.queue.requests).subList(before + 1, before + 5))
			.allSatisfy((request) -> assertThat(request.queues()).isEmpty());
		assertThat(this.queue.ends).isEmpty();
	}

	@Test
	void resumedWorkerTakesAJobLongBeforeThePoll() {
		this.fixture.handle("job", () -> null);
		this.fixture.start("q");
		becomeQuiet();
		awaitRest();
		this.queue.put("q", "job");
		this.queue.quiet.set(false);
		// The notification is lost.
		this.fixture.ahead.addAndGet(Duration.ofMinutes(1).toNanos());
		await().until(() -> this.queue.ends.size() == 1);
	}

	/**
	 * Restarts the worker without a subscription. The reply with the mark is late.
	 */
	@Test
	void quietWorkerThatIsStoppedAndStartedTakesNoJob() {
		this.fixture.handle("job", () -> null);
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.fixture.start("q");
		becomeQuiet();
		this.fixture.lifecycle().stop();
		failToListen();
		int before = this.queue.requests.size();
		this.queue.onQuietRead = () -> await().until(() -> this.queue.requests.size() > before + 5);
		this.queue.put("q", "job");
		this.fixture.lifecycle().start();
		await().until(() -> this.queue.requests.size() > before + 10);
		assertThat(this.queue.ends).isEmpty();
	}

	/**
	 * Restarts the worker without a subscription. The reply with the mark is late.
	 */
	@Test
	void workerThatIsQuietedBetweenAStopAndAStartTakesNoJob() {
		this.fixture.handle("job", () -> null);
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.fixture.start("q");
		await().until(() -> !this.queue.requests.isEmpty());
		this.fixture.lifecycle().stop();
		failToListen();
		int before = this.queue.requests.size();
		this.queue.onQuietRead = () -> await().until(() -> this.queue.requests.size() > before + 5);
		this.queue.quiet.set(true);
		this.queue.put("q", "job");
		this.fixture.lifecycle().start();
		await().until(() -> this.queue.requests.size() > before + 10);
		assertThat(this.queue.ends).isEmpty();
	}

	@Test
	void restartedWorkerTakesAJobLongBeforeThePollOnceItHasReadItsMark() {
		this.fixture.handle("job", () -> null);
		this.fixture.start("q");
		await().until(() -> !this.queue.requests.isEmpty());
		this.fixture.lifecycle().stop();
		failToListen();
		int before = this.queue.requests.size();
		this.queue.onQuietRead = () -> await().until(() -> this.queue.requests.size() > before);
		this.queue.put("q", "job");
		this.fixture.lifecycle().start();
		await().until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void startedWorkerReadsItsMarkWithoutANotification() {
		failToListen();
		AtomicInteger reads = new AtomicInteger();
		this.queue.onQuietRead = reads::incrementAndGet;
		this.fixture.start("q");
		await().until(() -> reads.get() > 0);
	}

	private void failToListen() {
		this.queue.onListen = () -> {
			throw new IllegalStateException("no subscription");
		};
	}

	/**
	 * Notifies the worker twice. When it reads its mark again, it is quiet.
	 */
	private void becomeQuiet() {
		AtomicInteger reads = new AtomicInteger();
		this.queue.onQuietRead = reads::incrementAndGet;
		await().until(() -> this.queue.listener != null);
		this.queue.quiet.set(true);
		for (int i = 1; i <= 2; i++) {
			int read = reads.get();
			this.queue.tell(null);
			await().until(() -> reads.get() > read);
		}
	}

	@Test
	void runEndsAndTheNextBeginsWhenAUserFilterFailsWithAnError() {
		AtomicBoolean fails = new AtomicBoolean();
		this.fixture.filters.add((queues) -> {
			if (fails.get()) {
				throw new AssertionError("a filter that fails");
			}
			return queues;
		});
		this.fixture.handle("job", () -> {
			fails.set(true);
			return null;
		});
		this.queue.put("q", "job");
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(RunEnd.Kind.SUCCEEDED).size() == 2);
	}

	@Test
	void pollServesWhatIsDueWhenEveryQueueIsLeftOut() {
		this.fixture.filters.add((queues) -> List.of());
		this.fixture.start("a", "b");
		await().until(() -> !this.queue.requests.isEmpty());
		assertThat(this.queue.requests.get(0).slots()).isZero();
		assertThat(this.queue.requests.get(0).queues()).isEmpty();
	}

	@Test
	void whatIsDueIsServedWhileAllSlotsAreBusy() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		this.fixture.handle("job", () -> release.await(10, TimeUnit.SECONDS));
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.requests.stream().filter((request) -> request.slots() == 0).count() > 3);
		release.countDown();
		await().until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void repliesThatAreCutShortAreContinuedAtOnceWhileAllSlotsAreBusy() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.fixture.handle("job", () -> {
			started.countDown();
			return release.await(10, TimeUnit.SECONDS);
		});
		this.queue.put(this.queue.reserved("q", "job", Duration.ofMinutes(5)));
		this.fixture.start("q");
		assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();
		this.queue.cutShort = 3;
		this.fixture.ahead.addAndGet(this.fixture.pollInterval.toNanos());
		await().until(() -> this.queue.requests.stream().filter((request) -> request.slots() == 0).count() == 4);
		release.countDown();
		await().until(() -> this.queue.ends.size() == 1);
	}

	@Test
	void whatIsDueIsServedWhileNoThreadOfASubscriptionCanBeStarted() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		this.queue.onListen = () -> {
			throw new OutOfMemoryError("for a test");
		};
		this.fixture.handle("job", () -> release.await(10, TimeUnit.SECONDS));
		this.fixture.pollInterval = Duration.ofMillis(100);
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.requests.stream().anyMatch((request) -> request.slots() == 0));
		release.countDown();
	}

	@Test
	void whatIsDueIsServedInTimeWhileAllSlotsAreBusy() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		this.fixture.handle("job", () -> release.await(10, TimeUnit.SECONDS));
		this.queue.put("q", "job");
		this.queue.next = Duration.ofMillis(100);
		this.fixture.start("q");
		await().atMost(Duration.ofSeconds(3))
			.until(() -> this.queue.requests.stream().filter((request) -> request.slots() == 0).count() > 3);
		release.countDown();
	}

	@Test
	void whatTurnsOutToBeDueSoonIsServedInTimeWhileAllSlotsAreBusy() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch resting = new CountDownLatch(1);
		this.fixture.handle("job", () -> release.await(10, TimeUnit.SECONDS));
		this.queue.put("q", "job");
		this.queue.next = Duration.ofMillis(100);
		// The housekeeping is asleep by then.
		this.queue.beforeReply = () -> {
			if (resting.getCount() > 0) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
				resting.countDown();
			}
		};
		this.fixture.start("q");
		await().atMost(Duration.ofSeconds(5))
			.until(() -> this.queue.requests.stream().filter((request) -> request.slots() == 0).count() > 3);
		release.countDown();
	}

	@Test
	void outcomeThatIsRefusedDoesNotStopTheSlot() {
		this.fixture.handle("job", () -> null);
		this.queue.refused.add(this.queue.put("q", "job"));
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 2);
	}

	@Test
	void workerCanBeStoppedAndStartedAgain() {
		this.fixture.handle("job", () -> null);
		this.fixture.start("q");
		this.fixture.lifecycle().stop();
		assertThat(this.fixture.lifecycle().isRunning()).isFalse();
		this.queue.put("q", "job");
		this.fixture.lifecycle().start();
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.requests).extracting(ReservationRequest::poller).contains("instance/2/test-1");
	}

	@Test
	void workerStopsBeforeLeasesAndWebServer() {
		this.fixture.start("q");
		assertThat(this.fixture.lifecycle().getPhase()).isGreaterThan(Integer.MAX_VALUE - 1024);
	}

	@Test
	void bodiesRunOnVirtualThreadsWhereThereAreSome() {
		this.fixture.kind = WorkerThreads.VIRTUAL;
		if (Runtime.version().feature() < 21) {
			assertThatIllegalStateException().isThrownBy(() -> this.fixture.start("q"))
				.withMessageContaining("Java 21");
			return;
		}
		StringBuffer name = new StringBuffer();
		this.fixture.handle("job", () -> name.append(Thread.currentThread()));
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(name.toString()).contains("VirtualThread", "locket-worker-test-1");
	}

	/**
	 * Waits until there has been no request for a while.
	 */
	private void awaitRest() {
		int[] last = { -1 };
		await().pollInterval(Duration.ofMillis(80)).until(() -> {
			int calls = this.queue.calls.get();
			boolean still = calls > 0 && calls == last[0];
			last[0] = calls;
			return still;
		});
	}

}
