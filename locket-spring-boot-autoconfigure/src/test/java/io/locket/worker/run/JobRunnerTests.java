package io.locket.worker.run;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.JobTimeoutException;
import io.locket.LeaseLossCause;
import io.locket.QueuedRun;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseEvent;
import io.locket.event.LeaseLost;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunEnd.Kind;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.TestHandler;
import io.locket.worker.WorkerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the behaviour of bodies and the ends of their runs.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobRunnerTests {

	private static final Duration LEASE = Duration.ofMillis(300);

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final AtomicBoolean interrupted = new AtomicBoolean();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void bodyReportsItsProgressOnAnotherThread() {
		String longest = "x".repeat(JobContext.PROGRESS_MESSAGE_LENGTH);
		Thread[] body = new Thread[1];
		Thread[] teller = new Thread[1];
		this.queue.onProgress = () -> teller[0] = Thread.currentThread();
		CountDownLatch told = new CountDownLatch(1);
		this.fixture.handle("job", () -> {
			body[0] = Thread.currentThread();
			JobContext.required().progress(3, 10, longest + "y");
			await().until(() -> !this.queue.progress.isEmpty());
			told.countDown();
			return null;
		});
		String id = this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> told.getCount() == 0);
		assertThat(this.queue.progress).singleElement().satisfies((progress) -> {
			assertThat(progress.run().id()).isEqualTo(id);
			assertThat(progress).extracting(RunProgress::done, RunProgress::total, RunProgress::message)
				.containsExactly(3L, 10L, longest);
		});
		assertThat(teller[0]).isNotNull().isNotSameAs(body[0]);
		assertThat(teller[0].getName()).startsWith("locket-progress-");
	}

	@Test
	void reportThatIsStillOnItsWayGoesWithTheEndOfTheRun() {
		this.queue.onProgress = () -> await().until(() -> !this.queue.ends.isEmpty());
		this.fixture.handle("job", () -> {
			JobContext.required().progress(9, 10, null);
			JobContext.required().progress(10, 10, "all");
			return null;
		});
		RunEnd end = run("job");
		assertThat(end.kind()).isEqualTo(Kind.SUCCEEDED);
		assertThat(end.progress()).isEqualTo(new RunProgress(new RunToken(end.id(), end.token()), 10, 10, "all"));
	}

	@Test
	void progressThatMakesNoSenseIsRefused() {
		List<Throwable> refused = new CopyOnWriteArrayList<>();
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required();
			refused.add(catchThrowable(() -> context.progress(-1, 10, null)));
			refused.add(catchThrowable(() -> context.progress(1, -10, null)));
			context.progress(11, 10, "\ud83d\ude00".repeat(JobContext.PROGRESS_MESSAGE_LENGTH / 2) + "z");
			context.progress(12, 0, "z" + "\ud83d\ude00".repeat(JobContext.PROGRESS_MESSAGE_LENGTH));
			await().until(() -> this.queue.progress.stream().anyMatch((progress) -> progress.done() == 12));
			return null;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.endsOf(RunEnd.Kind.SUCCEEDED)).hasSize(1);
		assertThat(refused).hasSize(2).allMatch(IllegalArgumentException.class::isInstance);
		assertThat(this.queue.progress.get(this.queue.progress.size() - 1).message()).startsWith("z")
			.hasSize(JobContext.PROGRESS_MESSAGE_LENGTH - 1)
			.endsWith("\ud83d\ude00");
	}

	static List<Throwable> failures() {
		return List.of(new IllegalStateException("failed"), new Exception("checked"), new StackOverflowError("deep"),
				new NoClassDefFoundError("missing"), new OutOfMemoryError("full"), new AssertionError("wrong"),
				new InterruptedException("by others"), new ThreadDeath());
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failureOfABodyIsAFailedAttemptAndTheSlotSurvives(Throwable failure) {
		this.fixture.handle("bad", () -> {
			throw failure;
		});
		RunEnd end = run("bad");
		assertThat(end.kind()).isEqualTo(Kind.RETRY);
		assertThat(end.delay()).isEqualTo(Duration.ofSeconds(15));
		assertThat(end.error()).startsWith(failure.getClass().getName());
		this.fixture.handle("good", () -> null);
		this.queue.add("q", "good");
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 1);
	}

	@Test
	void delayGrowsWithTheFailedAttempts() {
		this.fixture.handle("bad", () -> {
			throw new IllegalStateException();
		});
		ReservedJob job = this.queue.reserved("q", "bad", LEASE);
		this.queue.put(FakeJobQueue.with(job,
				FakeJobQueue.record(job.record().id(), "q", "bad", LEASE, 2, JobRecord.VERSION)));
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).delay()).isEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void logStatesWhetherAFailedAttemptIsRepeated(CapturedOutput output) {
		this.fixture.handle("job", () -> {
			throw new IllegalStateException("failed");
		});
		for (int attempt : List.of(2, 3)) {
			ReservedJob job = this.queue.reserved("q", "job", LEASE);
			this.queue.put(FakeJobQueue.with(job,
					FakeJobQueue.record(job.record().id(), "q", "job", LEASE, attempt, JobRecord.VERSION)));
		}
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 2);
		assertThat(output).contains("Attempt 3 of job job (job-1) has failed and is repeated in 60000 ms")
			.contains("Attempt 4 of job job (job-2) has failed for the last time");
	}

	@Test
	void failureThatIsNotToBeRetriedIsDeath() {
		this.fixture.handle("bad", () -> {
			throw new IllegalArgumentException("never");
		}).last = IllegalArgumentException.class;
		assertThat(run("bad").kind()).isEqualTo(Kind.DEAD);
	}

	@Test
	void maskedJobReportsTheClassOfAFailureOnly(CapturedOutput output) {
		this.fixture.handle("bad", () -> {
			throw new IllegalStateException("customer Miller");
		}).masked = true;
		assertThat(run("bad").error()).isEqualTo("java.lang.IllegalStateException");
		assertThat(output).doesNotContain("Miller");
	}

	@Test
	void lossCallbackOfAMaskedJobIsLoggedWithoutItsMessageWhenItFails(CapturedOutput output) {
		this.fixture.handle("job", () -> {
			JobContext.required().onLeaseLost(() -> {
				throw new IllegalStateException("customer Miller");
			});
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			await().until(JobContext.required()::isLeaseLost);
			return null;
		}).masked = true;
		run("job");
		await().until(() -> output.toString().contains("IllegalStateException"));
		assertThat(output).contains("Lease-loss callback of job").doesNotContain("Miller");
	}

	@Test
	void keyIsMaskedInTheRunWhenAProcessWithoutTheMaskHasEnqueuedTheJob(CapturedOutput output) {
		ReservedJob job = this.queue.reserved("q", "job", LEASE);
		String readable = Objects.requireNonNull(job.record().key()).toString();
		List<String> seen = new CopyOnWriteArrayList<>();
		this.fixture.handle("job", () -> {
			seen.add(JobContext.required().key().toString());
			seen.add(JobContext.required().key().digest());
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			await().until(JobContext.required()::isLeaseLost);
			return null;
		}).masked = true;
		this.queue.put(job);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(seen).containsExactly("job[***]#digest-job-1", "digest-job-1");
		assertThat(output).contains("Lost the lease of job job[***]#").doesNotContain(readable);
	}

	@Test
	void keyIsMaskedBeforeTheBodyWhenAProcessWithoutTheMaskHasEnqueuedTheJob(CapturedOutput output) {
		TestHandler handler = new TestHandler("job", () -> null) {

			@Override
			public Body bind(JobRecord record) {
				JobRunnerTests.this.queue.renewAs(record.id(), new RunRenewal(false, null, false));
				await().until(() -> !leaseEvents(LeaseLost.class).isEmpty());
				return super.bind(record);
			}

		};
		handler.masked = true;
		this.fixture.handlers.put("job", handler);
		run("job");
		assertThat(leaseEvents(LeaseAcquired.class)).containsExactly("job[***]#digest-job-1");
		assertThat(leaseEvents(LeaseLost.class)).containsExactly("job[***]#digest-job-1");
		assertThat(output).contains("Lost the lease of job job[***]#");
	}

	private List<String> leaseEvents(Class<? extends LeaseEvent> type) {
		return this.fixture.events.stream()
			.filter(type::isInstance)
			.map((event) -> type.cast(event).key().toString())
			.toList();
	}

	@Test
	void longMessageIsCut() {
		this.fixture.handle("bad", () -> {
			throw new IllegalStateException("x".repeat(5000));
		});
		assertThat(run("bad").error()).hasSize(1000);
	}

	@Test
	void unreadableArgumentsAreDeath() {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("bad", runs::incrementAndGet).unreadable = new UnreadableArgumentsException("no number");
		assertThat(run("bad").kind()).isEqualTo(Kind.DEAD);
		assertThat(runs).hasValue(0);
	}

	@Test
	void unreadableArgumentsThatABodyMeetsAreItsFailure() {
		this.fixture.handle("bad", () -> {
			throw new UnreadableArgumentsException("of something else");
		});
		assertThat(run("bad").kind()).isEqualTo(Kind.RETRY);
	}

	@Test
	void bodyDoesNotStartWhenTheLeaseWasLostWhileItsArgumentsWereRead() {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handlers.put("job", new TestHandler("job", runs::incrementAndGet) {

			@Override
			public Body bind(JobRecord record) {
				JobRunnerTests.this.queue.renewAs(record.id(), new RunRenewal(false, null, false));
				await().until(() -> JobRunnerTests.this.fixture.events.stream().anyMatch(LeaseLost.class::isInstance));
				return super.bind(record);
			}

		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
		assertThat(runs).hasValue(0);
	}

	@Test
	void unknownJobIsLeftToOtherWorkers() {
		RunEnd end = run("unknown");
		assertThat(end.kind()).isEqualTo(Kind.UNKNOWN);
		assertThat(end.error()).isNotNull();
		await().until(() -> this.queue.requests.size() > 1);
		assertThat(this.queue.requests.get(0).leavesOut()).isEmpty();
		assertThat(this.queue.requests.get(this.queue.requests.size() - 1).leavesOut()).containsExactly("unknown");
	}

	@Test
	void jobThatGetsAHandlerIsNotLeftOutAnyMore() {
		UnknownJobs unknown = new UnknownJobs((job) -> Optional.ofNullable(this.fixture.handlers.get(job)));
		unknown.add("a");
		unknown.add("b");
		assertThat(unknown.names()).containsExactlyInAnyOrder("a", "b");
		this.fixture.handle("a", () -> null);
		assertThat(unknown.names()).containsExactly("b");
		IntStream.range(0, UnknownJobs.MOST).forEach((i) -> unknown.add("job" + i));
		assertThat(unknown.names()).hasSize(UnknownJobs.MOST).doesNotContain("b");
	}

	@Test
	void newerRecordGoesBackWithADelay() {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("job", runs::incrementAndGet);
		ReservedJob job = this.queue.reserved("q", "job", LEASE);
		this.queue.put(FakeJobQueue.with(job,
				FakeJobQueue.record(job.record().id(), "q", "job", LEASE, 0, JobRecord.VERSION + 1)));
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).kind()).isEqualTo(Kind.DEFER);
		assertThat(runs).hasValue(0);
	}

	@Test
	void conflictIsAFailedAttemptWithoutARun() {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("job", runs::incrementAndGet);
		this.queue.put(FakeJobQueue.conflicting(this.queue.reserved("q", "job", LEASE)));
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).kind()).isEqualTo(Kind.RETRY);
		assertThat(this.queue.ends.get(0).error()).startsWith(DuplicateJobException.class.getName());
		assertThat(runs).hasValue(0);
	}

	@Test
	void bodyKnowsItsRun() {
		AtomicReference<JobContext> seen = new AtomicReference<>();
		this.fixture.handle("job", () -> {
			seen.set(JobContext.required("job"));
			return null;
		});
		run("job");
		QueuedRun queued = seen.get().queuedRun().orElseThrow();
		JobRecord record = FakeJobQueue.record("job-1", "q", "job", LEASE, 0, 1);
		assertThat(queued)
			.isEqualTo(new QueuedRun("job-1", "job", "q", 1, record.enqueuedAt(), record.startedAt(), null));
		assertThat(seen.get().fencingToken()).isEqualTo(1);
		assertThat(seen.get().isCancelled()).isFalse();
		assertThat(seen.get().since()).isEqualTo(record.startedAt());
	}

	@Test
	void bodyOfAJobThatWasEnqueuedUnderAnAliasKnowsItsOwnName() {
		this.fixture.handlers.put("alias", new TestHandler("job", () -> JobContext.required("job").key().job()));
		assertThat(run("alias").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void bodyLearnsOfItsCancellation() {
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			this.queue.renewAs("job-1", new RunRenewal(true, null, true));
			await().until(context::isCancelled);
			return null;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.SUCCEEDED);
	}

	@Test
	void bodyIsInterruptedWhenItsRunIsLostAndDoesNotFail() {
		this.fixture.handle("job", () -> {
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			return sleep();
		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
		assertThat(this.interrupted).isTrue();
		assertThat(this.fixture.events).filteredOn(LeaseLost.class::isInstance).hasSize(1);
	}

	@Test
	void listenersThatBlockDelayNoInterruptOfALostRun() {
		CountDownLatch release = new CountDownLatch(1);
		this.fixture.concurrency = 12;
		this.fixture.onEvent = (event) -> {
			if (event instanceof LeaseLost) {
				await().until(() -> release.getCount() == 0);
			}
		};
		this.fixture.handle("job", this::sleep);
		for (int i = 1; i <= 12; i++) {
			this.queue.put("q", "job");
			this.queue.renewAs("job-" + i, new RunRenewal(false, null, false));
		}
		this.fixture.start("q");
		try {
			await().atMost(Duration.ofSeconds(5)).until(() -> this.queue.endsOf(Kind.RETURNED).size() == 12);
		}
		finally {
			release.countDown();
		}
	}

	@Test
	void bodyIsInterruptedWhenOnlyItsKeyIsLostAndTheRunIsKept() {
		AtomicReference<LeaseLossCause> cause = new AtomicReference<>();
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			this.queue.renewAs("job-1", new RunRenewal(true, LeaseLossCause.TAKEN, false));
			try {
				return sleep();
			}
			finally {
				cause.set(context.lossCause());
				assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
			}
		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
		assertThat(cause).hasValue(LeaseLossCause.TAKEN);
	}

	@Test
	void bodyThatCompletesAllTheSameIsRefused(CapturedOutput output) {
		this.fixture.handle("job", () -> {
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			try {
				sleep();
			}
			catch (InterruptedException ex) {
				JobContext.required("job").markCompleted();
			}
			return null;
		});
		this.queue.refused.add("job-1");
		assertThat(run("job").kind()).isEqualTo(Kind.SUCCEEDED);
		await().until(() -> output.getOut().contains("does not count"));
	}

	@Test
	void bodyIsNotInterruptedWhenThatIsSet() {
		this.fixture.interruptOnLost = false;
		this.fixture.handle("job", () -> {
			JobContext context = JobContext.required("job");
			this.queue.renewAs("job-1", new RunRenewal(false, null, false));
			await().until(context::isLeaseLost);
			this.interrupted.set(Thread.currentThread().isInterrupted());
			return null;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.RETURNED);
		assertThat(this.interrupted).isFalse();
	}

	@Test
	void flagThatABodyLeavesBehindDoesNotReachTheNextOne() {
		this.fixture.handle("leaves", () -> {
			Thread.currentThread().interrupt();
			return null;
		});
		this.fixture.handle("job", () -> {
			this.interrupted.set(Thread.currentThread().isInterrupted());
			return null;
		});
		this.fixture.batch = 2;
		this.queue.put("q", "leaves");
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 2);
		assertThat(this.interrupted).isFalse();
	}

	@Test
	void timeoutInterruptsTheBodyAndIsAFailedAttempt() {
		this.fixture.handle("slow", this::sleep).timeout = Duration.ofMillis(50);
		RunEnd end = run("slow");
		assertThat(end.kind()).isEqualTo(Kind.RETRY);
		assertThat(end.error()).startsWith(JobTimeoutException.class.getName()).contains("50 ms");
		assertThat(end.stackTrace()).contains("Suppressed: java.lang.InterruptedException");
		assertThat(this.interrupted).isTrue();
	}

	/**
	 * Checks that the job of a body which has ended is not kept until its timeout.
	 */
	@Test
	void bodyThatEndsLeavesNoAlarmBehind() {
		this.fixture.handle("quick", () -> null).timeout = Duration.ofDays(1);
		run("quick");
		assertThat(((ScheduledThreadPoolExecutor) this.fixture.threads.watch()).getQueue())
			.allSatisfy((task) -> assertThat(((Delayed) task).getDelay(TimeUnit.HOURS)).isZero());
	}

	@Test
	void bodyThatIgnoresItsTimeoutKeepsSlotAndLeasesUntilItEnds() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch told = new CountDownLatch(1);
		this.fixture.handle("slow", () -> {
			while (release.getCount() > 0) {
				try {
					release.await();
				}
				catch (InterruptedException ex) {
					told.countDown();
				}
			}
			return null;
		}).timeout = Duration.ofMillis(50);
		this.queue.put("q", "slow");
		this.fixture.start("q");
		assertThat(told.await(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.queue.ends).isEmpty();
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		release.countDown();
		await().until(() -> this.queue.endsOf(Kind.RETRY).size() == 1);
	}

	@Test
	void futureIsWaitedForAndItsFailureIsTheBodys() {
		CompletableFuture<String> good = new CompletableFuture<>();
		CompletableFuture<String> bad = new CompletableFuture<>();
		this.fixture.handle("good", () -> good);
		this.fixture.handle("bad", () -> bad);
		this.fixture.concurrency = 2;
		this.queue.put("q", "good");
		this.queue.put("q", "bad");
		this.fixture.start("q");
		await().until(() -> this.fixture.heartbeat.size() == 2);
		assertThat(this.queue.ends).isEmpty();
		good.complete("done");
		bad.completeExceptionally(new IllegalStateException("late"));
		await().until(() -> this.queue.ends.size() == 2);
		assertThat(this.queue.endsOf(Kind.RETRY).get(0).error()).isEqualTo("java.lang.IllegalStateException: late");
	}

	@Test
	void timeoutCancelsAFuture() {
		CompletableFuture<String> future = new CompletableFuture<>();
		this.fixture.handle("slow", () -> future).timeout = Duration.ofMillis(50);
		assertThat(run("slow").error()).startsWith(JobTimeoutException.class.getName());
		assertThat(future).isCancelled();
	}

	@Test
	void futureWhoseCancellationFailsIsWaitedFor() throws Exception {
		CountDownLatch cancelled = new CountDownLatch(1);
		FutureTask<Object> future = new FutureTask<>(() -> null) {

			@Override
			public boolean cancel(boolean mayInterrupt) {
				cancelled.countDown();
				throw new UnsupportedOperationException("for a test");
			}

		};
		assertWaitedFor(future, cancelled, future);
	}

	@Test
	void stageWhoseCancellationFailsIsWaitedFor() throws Exception {
		CountDownLatch cancelled = new CountDownLatch(1);
		CompletableFuture<Object> stage = new CompletableFuture<>() {

			@Override
			public CompletableFuture<Object> toCompletableFuture() {
				cancelled.countDown();
				throw new UnsupportedOperationException("for a test");
			}

		};
		assertWaitedFor(stage, cancelled, () -> stage.complete(null));
	}

	private void assertWaitedFor(Object result, CountDownLatch cancelled, Runnable completion)
			throws InterruptedException {
		this.fixture.handle("slow", () -> result).timeout = Duration.ofMillis(50);
		this.queue.put("q", "slow");
		this.fixture.start("q");
		assertThat(cancelled.await(5, TimeUnit.SECONDS)).isTrue();
		await().during(Duration.ofMillis(300)).until(this.queue.ends::isEmpty);
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		completion.run();
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.queue.ends.get(0).error()).startsWith(JobTimeoutException.class.getName());
	}

	@Test
	void publishersAreSubscribedAndWaitedFor() {
		AtomicInteger subscriptions = new AtomicInteger();
		this.fixture.handle("mono",
				() -> Mono.delay(Duration.ofMillis(30)).doOnSubscribe((s) -> subscriptions.incrementAndGet()));
		this.fixture.handle("flux", () -> Flux.range(1, 3).concatWith(Mono.error(new IllegalStateException("late"))));
		this.queue.put("q", "mono");
		this.queue.put("q", "flux");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 2);
		assertThat(subscriptions).hasValue(1);
		assertThat(this.queue.ends.get(0).kind()).isEqualTo(Kind.SUCCEEDED);
		assertThat(this.queue.ends.get(1).error()).isEqualTo("java.lang.IllegalStateException: late");
	}

	@Test
	void publisherIsSubscribedWhenItIsNotOfReactor() {
		Publisher<Object> failing = (subscriber) -> Mono.error(new IllegalStateException("late")).subscribe(subscriber);
		this.fixture.handle("foreign", () -> failing);
		assertThat(run("foreign").error()).isEqualTo("java.lang.IllegalStateException: late");
	}

	@Test
	void timeoutCancelsASubscription() {
		AtomicBoolean cancelled = new AtomicBoolean();
		this.fixture.handle("slow", () -> Mono.never().doOnCancel(() -> cancelled.set(true))).timeout = Duration
			.ofMillis(50);
		assertThat(run("slow").error()).startsWith(JobTimeoutException.class.getName());
		assertThat(cancelled).isTrue();
	}

	@Test
	void jobOfABatchThatWasCancelledBeforeItsTurnDoesNotStart() {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("first", () -> {
			this.queue.renewAs("job-3", new RunRenewal(true, null, true));
			Thread.sleep(300);
			return null;
		});
		this.fixture.handle("second", runs::incrementAndGet);
		this.fixture.handle("short", () -> null);
		this.fixture.batch = 2;
		this.queue.put("q", "short");
		this.queue.put("q", "first");
		this.queue.put("q", "second");
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 3);
		assertThat(this.queue.ends.get(2).kind()).isEqualTo(Kind.RETURNED);
		assertThat(runs).hasValue(0);
	}

	@Test
	void threadThatABodyStartsIsNoPartOfIt() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		AtomicReference<Boolean> inside = new AtomicReference<>();
		AtomicReference<Thread> started = new AtomicReference<>();
		this.fixture.handle("job", () -> {
			Thread thread = new Thread(() -> {
				try {
					release.await(10, TimeUnit.SECONDS);
					inside.set(JobContext.current().isPresent());
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
			thread.start();
			started.set(thread);
			return null;
		});
		assertThat(run("job").kind()).isEqualTo(Kind.SUCCEEDED);
		await().until(() -> this.fixture.heartbeat.size() == 0);
		release.countDown();
		started.get().join(5000);
		assertThat(inside).hasValue(false);
	}

	private Object sleep() throws InterruptedException {
		try {
			Thread.sleep(20_000);
			return "slept";
		}
		catch (InterruptedException ex) {
			this.interrupted.set(true);
			throw ex;
		}
	}

	private RunEnd run(String job) {
		this.queue.put("q", job);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
		return this.queue.ends.get(0);
	}

}
