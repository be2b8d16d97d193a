package io.locket.worker.consumer;

import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunEnd.Kind;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.TestHandler;
import io.locket.worker.WorkerFixture;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.backoff.FixedBackOff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobConsumers}.
 */
class JobConsumersTests {

	private static final Duration LONG = Duration.ofSeconds(10);

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final JobConsumers consumers = this.fixture.consumers();

	private final JobConsumer consumer = this.consumers.open("mine", "high", "limited");

	@AfterEach
	void close() {
		this.fixture.grace = Duration.ZERO;
		this.consumer.close();
		this.fixture.close();
	}

	@Test
	void pollTakesOneJobWithItsLeaseFromTheFirstQueueThatHasOne() {
		this.queue.put("limited", "job");
		String first = this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.record().id()).isEqualTo(first);
		assertThat(job.fencingToken()).isEqualTo(2);
		assertThat(job.context().queuedRun().orElseThrow().id()).isEqualTo(first);
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		assertThat(this.consumer.taken()).containsExactly(job);
		assertThat(this.queue.requests).singleElement().satisfies((request) -> {
			assertThat(request.slots()).isEqualTo(1);
			assertThat(request.queues()).containsExactly(new QueueLimit("high", 0), new QueueLimit("limited", 3));
		});
	}

	@Test
	void pollIsEmptyWhenNothingIsReady() {
		assertThat(this.consumer.poll()).isEmpty();
		assertThat(this.queue.calls).hasValue(1);
	}

	@Test
	void pollContinuesWhileItsRepliesAreCutShort() {
		this.queue.cutShort = 3;
		assertThat(this.consumer.poll()).isEmpty();
		assertThat(this.queue.calls).hasValue(4);
	}

	@Test
	void jobEndsOnceAndRepeatedEndsHaveTheSameResult() {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.succeed()).isTrue();
		assertThat(job.succeed()).isTrue();
		assertThat(job.fail(new IllegalStateException())).isFalse();
		assertThat(job.returnToQueue()).isFalse();
		assertThat(this.queue.settlements).hasSize(1);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.SUCCEEDED);
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(this.consumer.taken()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> job.call(() -> null)).withMessageContaining("was ended");
		assertThatIllegalStateException().isThrownBy(job.context()::ensureLease).withMessageContaining("was released");
	}

	@Test
	void unsentReportIsStoredWithTheEndOfTheJobAlsoIfThatIsRepeated() {
		this.queue.onProgress = () -> await().until(() -> !this.queue.ends.isEmpty());
		this.queue.put("high", "job");
		ConsumedJob job = take();
		job.context().progress(9, 10, null);
		job.context().progress(10, 10, "all");
		this.queue.losingReplies.set(1);
		assertThat(job.succeed()).isTrue();
		assertThat(this.queue.settlements).hasSize(2)
			.allSatisfy((ends) -> assertThat(ends).extracting(RunEnd::progress)
				.extracting(RunProgress::done)
				.containsExactly(10L));
	}

	@Test
	void quietConsumerTakesNoJobsUntilItIsResumed() {
		this.queue.put("high", "job");
		this.queue.quiet.set(true);
		this.queue.tell(null);
		assertThat(this.consumer.poll()).isEmpty();
		assertThat(this.queue.requests).last().satisfies((request) -> assertThat(request.queues()).isEmpty());
		this.queue.quiet.set(false);
		this.queue.tell(null);
		assertThat(this.consumer.poll()).isPresent();
	}

	@Test
	void waitingConsumerTakesJobsOnceItIsResumed() throws Exception {
		this.queue.quiet.set(true);
		this.queue.tell(null);
		assertThat(this.consumer.poll()).isEmpty();
		this.queue.put("high", "job");
		CompletableFuture<Optional<ConsumedJob>> waiting = CompletableFuture.supplyAsync(() -> {
			try {
				return this.consumer.poll(LONG);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		await().until(() -> this.queue.calls.get() > 1);
		this.queue.quiet.set(false);
		this.queue.tell(null);
		assertThat(waiting.get(5, TimeUnit.SECONDS)).isPresent();
	}

	@Test
	void consumerTakesNoJobsIfItsProcessWasQuietedBeforeTheStart() {
		this.consumers.stop();
		this.queue.put("high", "job");
		this.queue.quiet.set(true);
		this.consumers.start();
		assertThat(this.consumers.open("again", "high").poll()).isEmpty();
	}

	@Test
	void restartedConsumerTakesNoJobUntilItHasReadWhetherItIsQuiet() {
		this.consumers.stop();
		this.queue.put("high", "job");
		this.queue.failing.set(1);
		this.consumers.start();
		JobConsumer again = this.consumers.open("again", "high");
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(again::poll);
		assertThat(again.poll()).isEmpty();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(6).toNanos());
		assertThat(again.poll()).isPresent();
	}

	@Test
	void pollingConsumerStoresTheCountsOfAMinute() {
		this.consumer.poll();
		assertThat(this.queue.minutes).hasValue(0);
		this.fixture.ahead.addAndGet(Duration.ofSeconds(11).toNanos());
		this.consumer.poll();
		this.consumer.poll();
		assertThat(this.queue.minutes).hasValue(1);
	}

	@Test
	void jobIsReleased() {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.returnToQueue()).isTrue();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
	}

	@Test
	void failureIsTreatedAsTheJobDefines() {
		TestHandler handler = this.fixture.handle("job", () -> null);
		handler.last = IllegalArgumentException.class;
		this.queue.put("high", "job");
		this.queue.put("high", "job");
		take().fail(new IllegalStateException("try again"));
		take().fail(new IllegalArgumentException("never again"));
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETRY, Kind.DEAD);
		assertThat(this.queue.ends.get(0).delay()).isEqualTo(Duration.ofSeconds(15));
		assertThat(this.queue.ends).extracting(RunEnd::error)
			.containsExactly("java.lang.IllegalStateException: try again",
					"java.lang.IllegalArgumentException: never again");
	}

	@Test
	void failureThatCannotTellItsMessageEndsTheAttempt() {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.fail(new IllegalStateException() {

			@Override
			public String getMessage() {
				throw new UnsupportedOperationException("no message");
			}

		})).isTrue();
		assertThat(this.queue.endsOf(Kind.RETRY)).hasSize(1);
	}

	@Test
	void failureThatCannotBeJudgedIsAFailedAttempt() {
		handlerThatFails();
		this.queue.put(FakeJobQueue.conflicting(this.queue.reserved("high", "job", LONG)));
		this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.fail(new IllegalStateException())).isTrue();
		assertThat(this.queue.endsOf(Kind.RETRY)).hasSize(2)
			.allSatisfy((end) -> assertThat(end.error()).isEqualTo("java.lang.LinkageError"));
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	private void handlerThatFails() {
		this.fixture.handlers.put("job", new TestHandler("job", () -> null) {

			@Override
			public boolean isFinal(Throwable failure) {
				throw new LinkageError("no such class");
			}

		});
	}

	@Test
	void jobThatCannotEvenBeHandedOutIsAFailedAttempt() {
		this.fixture.handlers.put("job", new TestHandler("job", () -> null) {

			@Override
			public String job() {
				throw new IllegalStateException("no name");
			}

		});
		this.queue.put("high", "job");
		assertThat(this.consumer.poll()).isEmpty();
		assertThat(this.queue.endsOf(Kind.RETRY)).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	/**
	 * Checks a job whose lease cannot be computed, as one whose renewal cannot be
	 * scheduled.
	 */
	@Test
	void jobWhoseLeaseCannotBeKeptIsReturned() {
		this.queue.put(this.queue.reserved("high", "job", Duration.ofSeconds(Long.MAX_VALUE)));
		assertThatExceptionOfType(ArithmeticException.class).isThrownBy(this.consumer::poll);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(this.consumer.poll()).isEmpty();
	}

	@Test
	void jobThatIsNotKnownHereCanBeRunAndFailed() {
		put("elsewhere", "[42,\"2026-05\"]");
		ConsumedJob job = take();
		assertThat(job.record().arguments()).isEqualTo("[42,\"2026-05\"]");
		assertThat(job.argumentsAs(long.class, YearMonth.class)).containsExactly(42L, YearMonth.of(2026, 5));
		assertThatIllegalStateException().isThrownBy(job::arguments).withMessageContaining("argumentsAs");
		assertThat(job.fail(new IllegalStateException("failed"))).isTrue();
		assertThat(this.queue.ends).singleElement().satisfies((end) -> {
			assertThat(end.kind()).isEqualTo(Kind.RETRY);
			assertThat(end.delay()).isEqualTo(Duration.ofSeconds(15));
			assertThat(end.error()).endsWith("failed");
		});
	}

	@Test
	void argumentsThatDoNotFitEndTheJobForGood() {
		put("elsewhere", "[\"x\"]");
		ConsumedJob job = take();
		assertThatExceptionOfType(UnreadableArgumentsException.class).isThrownBy(() -> job.argumentsAs(long.class))
			.satisfies((ex) -> assertThat(job.fail(ex)).isTrue());
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.DEAD);
	}

	@Test
	void failureThatResemblesUnreadableArgumentsIsTheBodysOwn() {
		this.queue.put("high", "job");
		take().fail(new UnreadableArgumentsException("of another job"));
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETRY);
	}

	@Test
	void jobWhoseKeyIsTakenFailsWithoutBeingHandedOut() {
		this.queue.put(FakeJobQueue.conflicting(this.queue.reserved("high", "job", LONG)));
		String next = this.queue.put("high", "job");
		assertThat(take().record().id()).isEqualTo(next);
		assertThat(this.queue.endsOf(Kind.RETRY)).singleElement().satisfies((end) -> {
			assertThat(end.error()).contains("DuplicateJobException");
			assertThat(end.stackTrace()).isNull();
		});
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
	}

	@Test
	void recordOfALaterVersionGoesBackWithADelay() {
		ReservedJob job = this.queue.reserved("high", "job", LONG);
		this.queue.put(FakeJobQueue.with(job,
				FakeJobQueue.record(job.record().id(), "high", "job", LONG, 0, JobRecord.VERSION + 1)));
		assertThat(this.consumer.poll()).isEmpty();
		assertThat(this.queue.endsOf(Kind.DEFER)).hasSize(1);
	}

	@Test
	void reservationWhoseReplyWasLostIsRepeatedByTheNextPoll() {
		String id = this.queue.put("high", "job");
		this.queue.losingReplies.set(1);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(this.consumer::poll);
		assertThat(take().record().id()).isEqualTo(id);
		assertThat(this.queue.requests).hasSize(2).containsOnly(this.queue.requests.get(0));
	}

	@Test
	void reservationWhoseReplyWasLostIsRepeatedByAWaitingPoll() throws Exception {
		CompletableFuture<Optional<ConsumedJob>> polled = pollElsewhere();
		String id = this.queue.put("high", "job");
		this.queue.losingReplies.set(1);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(this.consumer::poll);
		assertThat(polled.get(5, TimeUnit.SECONDS).orElseThrow().record().id()).isEqualTo(id);
	}

	@Test
	void waitMayBeAsLongAsATimeCanBe() throws Exception {
		String id = this.queue.put("high", "job");
		assertThat(this.consumer.poll(Duration.ofSeconds(Long.MAX_VALUE)).orElseThrow().record().id()).isEqualTo(id);
	}

	@Test
	void waitingPollRepeatsItsReservationUntilItHasAReply() throws Exception {
		this.queue.put("high", "job");
		this.queue.losingReplies.set(2);
		assertThat(this.consumer.poll(LONG)).isPresent();
		assertThat(this.queue.requests).hasSize(3).containsOnly(this.queue.requests.get(0));
	}

	@Test
	void waitingPollThatPausesEndsAtOnceWhenItsConsumerIsClosed() throws Exception {
		GroupSettings group = new GroupSettings("patient", List.of(new WeightedQueue("high", 1)), QueueOrder.STRICT, 1,
				WorkerThreads.PLATFORM, 1, LONG, LONG);
		QueueConsumer patient = new QueueConsumer(group, parts(), this.consumers,
				new FixedBackOff(Duration.ofHours(1).toMillis(), 1));
		this.queue.failing.set(Integer.MAX_VALUE);
		FutureTask<Optional<ConsumedJob>> polled = new FutureTask<>(() -> patient.poll(Duration.ofHours(1)));
		Thread poll = new Thread(polled);
		poll.start();
		await().until(() -> poll.getState() == Thread.State.TIMED_WAITING);
		this.queue.failing.set(0);
		patient.close();
		assertThat(polled.get(5, TimeUnit.SECONDS)).isEmpty();
	}

	@Test
	void waitingPollWithoutAReplyFailsWhenItsTimeIsOver() {
		this.queue.failing.set(Integer.MAX_VALUE);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.consumer.poll(Duration.ofMillis(50)));
		this.queue.failing.set(0);
	}

	@Test
	void unforeseenFailureIsThrownAndItsReservationRepeated() {
		String id = this.queue.put("high", "job");
		this.queue.beforeReply = () -> {
			this.queue.beforeReply = () -> {
			};
			throw new StackOverflowError("unforeseen");
		};
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> this.consumer.poll(LONG));
		assertThat(take().record().id()).isEqualTo(id);
		assertThat(this.queue.requests).extracting(ReservationRequest::id).hasSize(2).containsOnly(firstRequest());
	}

	@Test
	void jobWhoseReplyComesAfterItsLocalDeadlineIsNotHandedOut() {
		this.queue.put("high", "job");
		this.queue.losingReplies.set(1);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(this.consumer::poll);
		this.fixture.ahead.addAndGet(Duration.ofMillis(31_600).toNanos());
		String next = this.queue.put("high", "job");
		assertThat(take().record().id()).isEqualTo(next);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
	}

	@Test
	void waitingPollIsWokenByPublicationsForItsQueues() throws Exception {
		CompletableFuture<Optional<ConsumedJob>> polled = pollElsewhere();
		this.queue.add("other", "job");
		String id = this.queue.add("limited", "job");
		assertThat(polled.get(5, TimeUnit.SECONDS).orElseThrow().record().id()).isEqualTo(id);
		assertThat(this.queue.calls.get()).isLessThanOrEqualTo(3);
	}

	@Test
	void eachOfThoseWhoWaitGetsAJob() throws Exception {
		List<CompletableFuture<Optional<ConsumedJob>>> polled = List.of(pollElsewhere(), pollElsewhere(),
				pollElsewhere());
		for (int i = 0; i < 3; i++) {
			this.queue.put("high", "job");
		}
		this.queue.tell("high");
		for (CompletableFuture<Optional<ConsumedJob>> one : polled) {
			assertThat(one.get(5, TimeUnit.SECONDS)).isPresent();
		}
		assertThat(this.queue.requests).extracting(ReservationRequest::poller)
			.allMatch((poller) -> poller.startsWith("instance/consumer-"));
		assertThat(this.queue.requests.stream().map(ReservationRequest::poller).distinct()).hasSizeLessThanOrEqualTo(3);
	}

	@Test
	void waitingPollCallsWhenSomethingIsDue() throws Exception {
		this.queue.next = Duration.ofMillis(30);
		CompletableFuture<Optional<ConsumedJob>> polled = pollElsewhere();
		this.queue.put("high", "job");
		assertThat(polled.get(5, TimeUnit.SECONDS)).isPresent();
	}

	@Test
	void waitingPollEndsWithItsTime() throws Exception {
		assertThat(this.consumer.poll(Duration.ZERO)).isEmpty();
		assertThat(this.consumer.poll(Duration.ofMillis(30))).isEmpty();
		assertThat(this.queue.calls).hasValueLessThanOrEqualTo(3);
		assertThatIllegalArgumentException().isThrownBy(() -> this.consumer.poll(Duration.ofMillis(-1)));
	}

	@Test
	void interruptEndsTheWaitAndTakesNothingAway() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.consumer.poll(LONG));
		Thread waiting = Thread.currentThread();
		this.queue.beforeReply = waiting::interrupt;
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.consumer.poll(LONG));
		this.queue.put("high", "job");
		assertThat(this.consumer.poll()).isPresent();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void threadThatIsInterruptedLeavesThePollsToAnotherOne() throws Exception {
		this.fixture.pollInterval = Duration.ofMillis(200);
		JobConsumer frequent = this.fixture.consumers().open("frequent", "high");
		FutureTask<Optional<ConsumedJob>> polled = new FutureTask<>(() -> frequent.poll(Duration.ofMinutes(1)));
		Thread interrupted = new Thread(() -> assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> frequent.poll(Duration.ofMinutes(1))));
		interrupted.start();
		await().until(() -> this.queue.requests.size() > 1);
		Thread other = new Thread(polled);
		other.start();
		await().until(() -> this.queue.requests.stream().map(ReservationRequest::poller).distinct().count() == 2
				&& other.getState() == Thread.State.TIMED_WAITING);
		interrupted.interrupt();
		interrupted.join(LONG.toMillis());
		this.queue.put("high", "job");
		assertThat(polled.get(5, TimeUnit.SECONDS)).isPresent();
		frequent.close();
	}

	@Test
	void waitOfAClosedConsumerEndsWithoutAnotherPoll() throws Exception {
		CompletableFuture<Optional<ConsumedJob>> polled = pollElsewhere();
		this.consumer.close();
		assertThat(polled.get(5, TimeUnit.SECONDS)).isEmpty();
		assertThat(this.consumer.isClosed()).isTrue();
		assertThatIllegalStateException().isThrownBy(this.consumer::poll);
		this.consumer.close();
	}

	@Test
	void closeReturnsWhatWasTakenAndReportsIt() {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		AtomicInteger losses = new AtomicInteger();
		job.onLost(losses::incrementAndGet);
		job.context().onLeaseLost(losses::incrementAndGet);
		this.consumer.close();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(job.isLost()).isTrue();
		assertThat(job.context().isLeaseLost()).isTrue();
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(job.context()::ensureLease);
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> job.call(() -> null));
		job.onLost(losses::incrementAndGet);
		assertThat(losses).hasValue(3);
		assertThat(job.succeed()).isFalse();
		assertThat(job.returnToQueue()).isFalse();
		assertThat(this.queue.settlements).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void closeReturnsAllByOneCallAndRenewsThemNoMoreWithoutAReply() {
		for (int i = 0; i < 3; i++) {
			this.queue.put("high", "job");
			take();
		}
		assertThat(this.fixture.heartbeat.size()).isEqualTo(3);
		this.queue.failing.set(1);
		Thread.currentThread().interrupt();
		this.consumer.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.queue.settlements).singleElement().satisfies((ends) -> assertThat(ends).hasSize(3));
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(this.consumer.taken()).isEmpty();
	}

	@Test
	void closeRenewsNoneOfHundredsOfJobsWithoutAReply() {
		for (int i = 0; i < 201; i++) {
			this.queue.put("high", "job");
			take();
		}
		this.queue.failing.set(1);
		this.consumer.close();
		assertThat(this.queue.settlements).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(this.consumer.taken()).isEmpty();
	}

	@Test
	void closeTakesAwayAJobWhoseBodyWasRefusedAfterTheLossOfItsLease() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		this.queue.renewAs(id, new RunRenewal(false, null, false));
		await().until(job::isLost);
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> job.call(() -> null));
		this.consumer.close();
		assertThat(this.consumer.taken()).isEmpty();
	}

	@Test
	void closeReturnsAllJobsWhateverALossActionThrows() {
		AtomicInteger told = new AtomicInteger();
		for (int i = 0; i < 2; i++) {
			this.queue.put("high", "job");
			ConsumedJob job = take();
			job.onLost(() -> {
				throw new AssertionError("for a test");
			});
			job.onLost(told::incrementAndGet);
		}
		this.consumer.close();
		assertThat(told).hasValue(2);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(2);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void lossCallbackOfAMaskedJobIsLoggedWithoutItsMessageWhenItFails(CapturedOutput output) {
		this.fixture.handle("job", () -> null).masked = true;
		String lost = this.queue.put("high", "job");
		take().onLost(() -> {
			throw new IllegalStateException("customer Miller");
		});
		this.queue.renewAs(lost, new RunRenewal(false, null, false));
		await().until(() -> output.toString().contains("IllegalStateException"));
		this.queue.put("high", "job");
		take().onLost(() -> {
			throw new IllegalArgumentException("customer Miller");
		});
		this.consumer.close();
		assertThat(output).contains("IllegalArgumentException").doesNotContain("Miller");
	}

	@Test
	void keyIsMaskedInTheRunWhenAProcessWithoutTheMaskHasEnqueuedTheJob() {
		this.fixture.handle("job", () -> null).masked = true;
		this.queue.put("high", "job");
		assertThat(take().context().key()).hasToString("job[***]#digest-job-1");
	}

	@Test
	void stopClosesAllConsumersWhateverTheStoreThrows() {
		JobConsumer other = this.consumers.open("other", "high");
		this.queue.put("high", "job");
		this.queue.put("high", "job");
		take();
		other.poll().orElseThrow();
		this.fixture.grace = Duration.ZERO;
		this.queue.beforeReply = () -> {
			throw new StackOverflowError("for a test");
		};
		Thread.currentThread().interrupt();
		this.consumers.stop();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(this.consumer.taken()).isEmpty();
		assertThat(other.taken()).isEmpty();
	}

	@Test
	void closeRepeatsARequestAfterAnUnforeseenFailure() {
		this.queue.put("high", "job");
		AtomicInteger replies = new AtomicInteger();
		this.queue.beforeReply = () -> {
			if (replies.incrementAndGet() <= 2) {
				throw new StackOverflowError("for a test");
			}
		};
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.consumer::poll);
		this.consumer.close();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void closeReturnsWhatAReservationWithoutAReplyHasTaken() {
		this.queue.put("high", "job");
		this.queue.losingReplies.set(2);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(this.consumer::poll);
		this.consumer.close();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.queue.requests).hasSize(3).containsOnly(this.queue.requests.get(0));
	}

	@Test
	void jobThatComesWhileTheConsumerIsClosedGoesBack() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch reply = new CountDownLatch(1);
		this.queue.put("high", "job");
		this.queue.beforeReply = () -> {
			asked.countDown();
			awaitQuietly(reply);
		};
		CompletableFuture<Optional<ConsumedJob>> polled = CompletableFuture.supplyAsync(this.consumer::poll);
		assertThat(asked.await(5, TimeUnit.SECONDS)).isTrue();
		this.consumer.close();
		this.queue.beforeReply = () -> {
		};
		reply.countDown();
		assertThat(polled.get(5, TimeUnit.SECONDS)).isEmpty();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void bodyThatRunsIsLeftToItsEndWhenTheConsumerIsClosed() throws Exception {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		job.call(() -> {
			this.consumer.close();
			assertThat(this.queue.ends).isEmpty();
			assertThat(job.isLost()).isFalse();
			return null;
		});
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		assertThat(job.succeed()).isTrue();
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	/**
	 * Checks that an application which opens and closes consumers all the time does not
	 * fill the memory.
	 */
	@Test
	void closedConsumerIsForgottenOnceItsJobsHaveEnded() throws Exception {
		this.consumers.open("unused", "high").close();
		assertThat(open()).containsExactly(this.consumer);
		this.queue.put("high", "job");
		ConsumedJob job = take();
		job.call(() -> {
			this.consumer.close();
			return null;
		});
		assertThat(open()).containsExactly(this.consumer);
		job.succeed();
		assertThat(open()).isEmpty();
	}

	private ConsumerParts parts() {
		return (ConsumerParts) ReflectionTestUtils.getField(this.consumers, "parts");
	}

	@SuppressWarnings("unchecked")
	private Set<JobConsumer> open() {
		return (Set<JobConsumer>) ReflectionTestUtils.getField(this.consumers, "open");
	}

	@Test
	void callRunsInTheContextOfTheJob() throws Exception {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		Long token = job.call(() -> JobContext.required("job").fencingToken());
		assertThat(token).isEqualTo(job.fencingToken());
		assertThat(JobContext.current()).isEmpty();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> job.call(() -> {
			throw new ExecutionException(null);
		}));
		assertThat(job.succeed()).isTrue();
	}

	@Test
	void lossIsNotifiedAndAnEndAfterItDoesNotCount() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		AtomicBoolean told = new AtomicBoolean();
		job.onLost(() -> told.set(true));
		this.queue.refused.add(id);
		this.queue.renewAs(id, new RunRenewal(false, null, false));
		await().untilTrue(told);
		assertThat(job.isLost()).isTrue();
		assertThat(job.context().lossCause()).isEqualTo(LeaseLossCause.GONE);
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> job.call(() -> null));
		assertThat(job.succeed()).isFalse();
		assertThat(job.succeed()).isFalse();
		assertThat(this.queue.settlements).hasSize(1);
	}

	@Test
	void cancellationIsSeen() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		assertThat(job.isCancelled()).isFalse();
		this.queue.renewAs(id, new RunRenewal(true, null, true));
		await().until(job::isCancelled);
	}

	@Test
	void endIsRepeatedUntilItHasAReplyAlsoOnAThreadThatIsInterrupted() {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		this.queue.losingReplies.set(2);
		Thread.currentThread().interrupt();
		assertThat(job.succeed()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.queue.settlements).hasSize(3).containsOnly(this.queue.settlements.get(0));
		assertThat(this.queue.ends).hasSize(1);
	}

	@Test
	void lossThatTheEndReportsIsNotified() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		AtomicInteger told = new AtomicInteger();
		job.onLost(told::incrementAndGet);
		this.queue.refused.add(id);
		assertThat(job.isLost()).isFalse();
		assertThat(job.succeed()).isFalse();
		assertThat(job.isLost()).isTrue();
		assertThat(job.succeed()).isFalse();
		assertThat(told).hasValue(1);
		job.onLost(told::incrementAndGet);
		assertThat(told).hasValue(2);
	}

	@Test
	void lossIsNotifiedOnceAlthoughTheEndReportsItToo() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		AtomicInteger told = new AtomicInteger();
		job.onLost(told::incrementAndGet);
		this.queue.renewAs(id, new RunRenewal(true, LeaseLossCause.TAKEN, false));
		await().until(() -> told.get() == 1);
		this.queue.refused.add(id);
		assertThat(job.succeed()).isFalse();
		assertThat(told).hasValue(1);
	}

	@Test
	void endWithoutAReplyAfterTheLossIsThrownAndMayBeRepeated() {
		String id = this.queue.put("high", "job");
		ConsumedJob job = take();
		this.queue.renewAs(id, new RunRenewal(true, LeaseLossCause.TAKEN, false));
		await().until(job::isLost);
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		this.queue.failing.set(1);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> job.fail(new IllegalStateException()));
		assertThat(this.fixture.heartbeat.size()).isZero();
		assertThat(job.succeed()).isFalse();
		assertThat(job.fail(new IllegalArgumentException())).isTrue();
		assertThat(this.queue.settlements).hasSize(2).containsOnly(this.queue.settlements.get(0));
	}

	@Test
	void stopWaitsForTakenJobsAndTakesNoOthers() throws Exception {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(this.consumers::stop);
		await().until(this.consumer::isClosed);
		assertThat(job.isLost()).isFalse();
		assertThat(stopped).isNotDone();
		assertThat(job.succeed()).isTrue();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.SUCCEEDED);
		assertThatIllegalStateException().isThrownBy(() -> this.consumers.open("late", "high"));
		this.consumers.stop();
		this.consumers.start();
		this.consumers.open("again", "high").close();
	}

	@Test
	void stopEndsWithTheLastTakenJobHoweverLongTheGraceIs() throws Exception {
		this.fixture.grace = Duration.ofMinutes(1);
		JobConsumers patient = this.fixture.consumers();
		this.queue.put("high", "job");
		ConsumedJob job = patient.open("patient", "high").poll().orElseThrow();
		Thread stop = new Thread(patient::stop);
		stop.start();
		await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
		assertThat(job.succeed()).isTrue();
		stop.join(LONG.toMillis());
		assertThat(stop.isAlive()).isFalse();
	}

	@Test
	void stopWaitsForTheBodyOfAConsumerThatWasClosedBefore() throws Exception {
		this.queue.put("high", "job");
		ConsumedJob job = take();
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		job.call(() -> {
			this.consumers.stopTaking();
			this.consumer.close();
			new Thread(() -> {
				this.consumers.stop();
				stopped.complete(null);
			}).start();
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> stopped.get(300, TimeUnit.MILLISECONDS));
			return null;
		});
		assertThat(job.succeed()).isTrue();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.SUCCEEDED);
	}

	@Test
	void closeOfASubscriptionThatFailsEndsNoStop() {
		this.queue.onListenEnd = () -> {
			throw new IllegalStateException("for a test");
		};
		this.consumers.stop();
		assertThat(this.consumer.isClosed()).isTrue();
		assertThat(this.consumers.isRunning()).isFalse();
	}

	@Test
	void requestWithoutAReplyIsRepeatedBeforeTheStopWaitsForJobs() {
		this.queue.put("high", "job");
		this.queue.losingReplies.set(2);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(this.consumer::poll);
		this.consumers.stopTaking();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.queue.requests).hasSize(3).containsOnly(this.queue.requests.get(0));
	}

	@Test
	void stopReturnsWhatIsNotEndedWithinTheGrace() {
		this.fixture.grace = Duration.ofMillis(50);
		JobConsumers impatient = this.fixture.consumers();
		this.queue.put("high", "job");
		ConsumedJob job = impatient.open("other", "high").poll().orElseThrow();
		impatient.stop();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(job.isLost()).isTrue();
	}

	@Test
	void graceOfConsumersThatStopTakingIsNotExtendedByTheStop() throws Exception {
		this.fixture.grace = Duration.ofSeconds(30);
		JobConsumers patient = this.fixture.consumers();
		this.queue.put(this.queue.reserved("high", "job", Duration.ofMinutes(5)));
		ConsumedJob job = patient.open("patient", "high").poll().orElseThrow();
		patient.stopTaking();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(30).toNanos());
		CompletableFuture.runAsync(patient::stop).get(5, TimeUnit.SECONDS);
		assertThat(job.isLost()).isTrue();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
	}

	@Test
	void namesOfConsumersAndQueuesAreChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.consumers.open("no name", "high"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.consumers.open("name"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.consumers.open("name", "no queue"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.consumers.open("name", "high", "high"));
	}

	@Test
	void filtersOfTheUserApply() {
		this.fixture.filters.add((queues) -> List.of());
		this.queue.put("high", "job");
		assertThat(this.fixture.consumers().open("filtered", "high").poll()).isEmpty();
		assertThat(this.queue.requests.get(0).slots()).isZero();
	}

	private ConsumedJob take() {
		return this.consumer.poll().orElseThrow();
	}

	private String firstRequest() {
		return this.queue.requests.get(0).id();
	}

	private void put(String job, String arguments) {
		ReservedJob reserved = this.queue.reserved("high", job, LONG);
		this.queue.put(FakeJobQueue.with(reserved,
				FakeJobQueue.record(reserved.record().id(), "high", job, arguments, LONG, 0, JobRecord.VERSION)));
	}

	/**
	 * Polls on another thread, and returns after its first poll.
	 */
	private CompletableFuture<Optional<ConsumedJob>> pollElsewhere() {
		int calls = this.queue.calls.get();
		CompletableFuture<Optional<ConsumedJob>> polled = CompletableFuture.supplyAsync(() -> {
			try {
				return this.consumer.poll(LONG);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start());
		await().until(() -> this.queue.calls.get() > calls);
		return polled;
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
