package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunEnd.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the shutdown of a {@link Worker}.
 */
@ExtendWith(OutputCaptureExtension.class)
class WorkerShutdownTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.release.countDown();
		this.fixture.close();
	}

	@Test
	void bodyThatEndsInTimeIsWaitedForAndNothingElseIsTaken() throws Exception {
		this.fixture.handle("job", this::awaitRelease);
		begin("job", "job", "job");
		CompletableFuture<Void> stopped = stop();
		assertThat(stopped).isNotDone();
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.SUCCEEDED);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void idleWorkerStopsAtOnce() throws Exception {
		this.fixture.concurrency = 8;
		this.fixture.start("q");
		stop().get(2, TimeUnit.SECONDS);
		int calls = this.queue.calls.get();
		this.queue.add("q", "job");
		assertThat(this.queue.calls).hasValue(calls);
		assertThat(this.queue.listener).isNull();
	}

	@Test
	void stopWaitsForTheEndOfTheSubscription() throws Exception {
		this.queue.onListenEnd = () -> {
			try {
				awaitRelease();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		};
		this.fixture.start("q");
		await().until(() -> this.queue.listener != null);
		CompletableFuture<Void> stopped = stop();
		assertThat(this.started.await(5, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> stopped.get(300, TimeUnit.MILLISECONDS));
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.listener).isNull();
	}

	@Test
	void workerThatStopsTakingReturnsItsBatchAndTakesNothingAfterItsBody() throws Exception {
		this.fixture.batch = 4;
		this.fixture.handle("job", this::awaitRelease);
		this.fixture.handle("short", () -> null);
		begin("short", "short", "short", "job", "job", "job", "job");
		this.fixture.lifecycle().stopTaking();
		this.fixture.lifecycle().stopTaking();
		await().until(() -> this.queue.endsOf(Kind.RETURNED).size() == 3);
		assertThat(this.fixture.lifecycle().isRunning()).isTrue();
		int requests = this.queue.requests.size();
		this.release.countDown();
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 4);
		stop().get(5, TimeUnit.SECONDS);
		assertThat(this.queue.requests).hasSize(requests);
	}

	@Test
	void workerThatIsStoppedAgainAndDestroyedHasNothingLeftToDo() throws Exception {
		this.fixture.handle("job", this::awaitRelease);
		begin("job");
		this.release.countDown();
		stop().get(5, TimeUnit.SECONDS);
		int calls = this.queue.calls.get();
		this.fixture.lifecycle().stop();
		this.fixture.lifecycle().destroy();
		assertThat(this.queue.calls).hasValue(calls);
		assertThat(this.fixture.lifecycle().isRunning()).isFalse();
	}

	@Test
	void bodyThatTakesLongerThanTheGraceIsInterruptedAndItsJobReturned() throws Exception {
		this.fixture.grace = Duration.ofMillis(100);
		this.fixture.handle("job", this::awaitRelease);
		begin("job");
		stop().get(4, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETURNED);
	}

	@Test
	void jobIsReturnedOnlyAfterItsBodyHasEnded() throws Exception {
		this.fixture.grace = Duration.ZERO;
		CountDownLatch interrupted = new CountDownLatch(1);
		this.fixture.handle("job", () -> {
			try {
				return awaitRelease();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
				return CompletableFuture.failedFuture(
						new IllegalStateException(Boolean.toString(this.release.await(10, TimeUnit.SECONDS))));
			}
		});
		begin("job");
		CompletableFuture<Void> stopped = stop();
		assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.queue.ends).isEmpty();
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETURNED);
	}

	@Test
	void shutdownGoesOnWithoutABodyThatIgnoresTheInterruptWhichKeepsItsLeases(CapturedOutput output) throws Exception {
		this.fixture.grace = Duration.ZERO;
		this.fixture.handle("job", () -> {
			while (this.release.getCount() > 0) {
				try {
					awaitRelease();
				}
				catch (InterruptedException ex) {
					Thread.onSpinWait();
				}
			}
			return null;
		});
		begin("job");
		long before = System.nanoTime();
		stop().get(10, TimeUnit.SECONDS);
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofSeconds(4),
				Duration.ofSeconds(7));
		assertThat(output).contains("The shutdown continues without waiting for [job job (job-1)")
			.doesNotContain("without a reply");
		this.fixture.leases.close();
		assertThat(this.queue.ends).isEmpty();
		assertThat(this.fixture.heartbeat.size()).isEqualTo(1);
		assertThat(this.fixture.threads.heartbeat().isShutdown()).isFalse();
		this.release.countDown();
		await().until(() -> this.queue.endsOf(Kind.RETURNED).size() == 1);
		await().until(() -> this.fixture.threads.heartbeat().isShutdown());
	}

	@Test
	void jobsOfABatchThatHaveNotStartedAreReturnedAtOnce() throws Exception {
		this.fixture.batch = 4;
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("job", () -> {
			runs.incrementAndGet();
			return awaitRelease();
		});
		this.fixture.handle("short", () -> null);
		begin("short", "short", "short", "job", "job", "job", "job");
		CompletableFuture<Void> stopped = stop();
		await().until(() -> this.queue.endsOf(Kind.RETURNED).size() == 3);
		assertThat(stopped).isNotDone();
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(4);
		assertThat(runs).hasValue(1);
	}

	@Test
	void jobsThatCannotBeReturnedAreNotRenewed() throws Exception {
		this.fixture.batch = 4;
		this.fixture.handle("job", this::awaitRelease);
		this.fixture.handle("short", () -> null);
		begin("short", "short", "short", "job", "job", "job", "job");
		assertThat(this.fixture.heartbeat.size()).isEqualTo(4);
		AtomicBoolean failed = new AtomicBoolean();
		this.fixture.onTime = () -> {
			if (Thread.currentThread().getName().equals("locket-worker-settle") && failed.compareAndSet(false, true)) {
				throw new IllegalStateException("for a test");
			}
		};
		CompletableFuture<Void> stopped = stop();
		await().until(() -> this.fixture.heartbeat.size() == 1);
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.endsOf(Kind.RETURNED)).isEmpty();
	}

	@Test
	void stopWaitsForJobsThatAreBeingReturned() throws Exception {
		this.fixture.batch = 4;
		this.fixture.handle("job", this::awaitRelease);
		this.fixture.handle("short", () -> null);
		begin("short", "short", "short", "job", "job", "job", "job");
		CountDownLatch reply = new CountDownLatch(1);
		this.queue.beforeReply = () -> {
			if (Thread.currentThread().getName().equals("locket-worker-settle")) {
				awaitReply(reply);
			}
		};
		CompletableFuture<Void> stopped = stop();
		this.release.countDown();
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 4);
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> stopped.get(300, TimeUnit.MILLISECONDS));
		reply.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(3);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void graceOfAWorkerThatStopsTakingIsNotExtendedByTheStop() throws Exception {
		this.fixture.grace = Duration.ofSeconds(30);
		this.fixture.handle("job", this::awaitRelease);
		this.queue.put(this.queue.reserved("q", "job", Duration.ofMinutes(5)));
		begin();
		this.fixture.lifecycle().stopTaking();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(30).toNanos());
		stop().get(4, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETURNED);
	}

	@Test
	void endThatCouldNotBeSentBeforeTheStopIsSentDuringIt() throws Exception {
		AtomicReference<Thread> slot = new AtomicReference<>();
		this.fixture.filters.add((queues) -> {
			if (this.started.getCount() == 0) {
				slot.set(Thread.currentThread());
			}
			return queues;
		});
		this.fixture.onTime = () -> {
			if (Thread.currentThread() == slot.get()) {
				throw new IllegalStateException("The clock is out of order");
			}
		};
		this.fixture.handle("job", () -> {
			this.started.countDown();
			return null;
		});
		begin("job");
		await().until(() -> slot.get() != null && slot.get().getState() == Thread.State.TIMED_WAITING);
		this.fixture.onTime = () -> {
		};
		stop().get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.SUCCEEDED);
		assertThat(this.fixture.heartbeat.size()).isZero();
	}

	@Test
	void interruptOfTheStopInterruptsTheBodiesAndIsKept() throws Exception {
		this.fixture.grace = Duration.ofSeconds(30);
		this.fixture.handle("job", this::awaitRelease);
		begin("job");
		CompletableFuture<Boolean> flag = new CompletableFuture<>();
		Thread stop = new Thread(() -> {
			this.fixture.lifecycle().stop();
			flag.complete(Thread.currentThread().isInterrupted());
		});
		stop.start();
		stop.interrupt();
		assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
		await().until(() -> this.queue.endsOf(Kind.RETURNED).size() == 1);
	}

	@Test
	void bodyIsWaitedForAndItsBatchReturnedWhenNoThreadCanBeStarted() throws Exception {
		this.fixture.batch = 4;
		this.fixture.handle("job", this::awaitRelease);
		this.fixture.handle("short", () -> null);
		begin("short", "short", "short", "job", "job", "job", "job");
		InheritableThreadLocal<Boolean> noThread = new InheritableThreadLocal<>() {

			@Override
			protected Boolean childValue(Boolean parentValue) {
				throw new OutOfMemoryError("unable to create native thread");
			}

		};
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> {
			noThread.set(true);
			try {
				this.fixture.lifecycle().stop();
			}
			finally {
				noThread.remove();
			}
		});
		await().until(() -> !this.fixture.lifecycle().isRunning());
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(4);
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(3);
	}

	@Test
	void workerThatCannotStartAllItsThreadsStopsAndCanBeStartedAgain() throws Exception {
		this.fixture.grace = Duration.ofMinutes(1);
		this.fixture.concurrency = 3;
		this.fixture.handle("job", () -> null);
		AtomicInteger threads = new AtomicInteger();
		InheritableThreadLocal<Boolean> secondFails = new InheritableThreadLocal<>() {

			@Override
			protected Boolean childValue(Boolean parentValue) {
				if (threads.incrementAndGet() == 2) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return parentValue;
			}

		};
		CompletableFuture<WorkerFixture> start = CompletableFuture.supplyAsync(() -> {
			secondFails.set(true);
			return this.fixture.start("q");
		}, (task) -> new Thread(task).start());
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> start.get(5, TimeUnit.SECONDS))
			.withCauseInstanceOf(OutOfMemoryError.class);
		assertThat(this.fixture.lifecycle().isRunning()).isFalse();
		int calls = this.queue.calls.get();
		this.queue.put("q", "job");
		this.fixture.lifecycle().start();
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 1);
		assertThat(this.queue.requests.subList(calls, this.queue.requests.size()))
			.allMatch((request) -> request.poller().startsWith("instance/2/"));
	}

	@Test
	void jobsOfAReservationWhoseReplyArrivesDuringTheShutdownAreReturned() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		this.fixture.handle("job", runs::incrementAndGet);
		this.queue.put("q", "job");
		startWithALateReply();
		CompletableFuture<Void> stopped = stop();
		await().until(() -> !this.fixture.lifecycle().isRunning());
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETURNED);
		assertThat(runs).hasValue(0);
	}

	@Test
	void endIsRepeatedDuringTheShutdownUntilItHasAReply() throws Exception {
		this.fixture.handle("job", () -> {
			this.queue.failing.set(5);
			return awaitRelease();
		});
		begin("job");
		CompletableFuture<Void> stopped = stop();
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(1);
		assertThat(this.queue.settlements).hasSizeGreaterThan(5);
	}

	@Test
	void endIsRepeatedAfterTheShutdownWhileItsLeaseHolds() throws Exception {
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			return null;
		});
		this.queue.put(this.queue.reserved("q", "job", Duration.ofMinutes(5)));
		this.fixture.start("q");
		await().until(() -> this.queue.settlements.size() > 1);
		this.fixture.lifecycle().stopTaking();
		this.fixture.ahead.addAndGet(Duration.ofSeconds(10).toNanos());
		stop().get(5, TimeUnit.SECONDS);
		int calls = this.queue.calls.get();
		await().until(() -> this.queue.calls.get() > calls + 1);
		this.queue.failing.set(0);
		await().until(() -> this.queue.endsOf(Kind.SUCCEEDED).size() == 1);
	}

	@Test
	void reservationWhoseReplyIsLostDuringTheShutdownIsRepeatedAndItsJobReturned() throws Exception {
		this.fixture.handle("job", () -> null);
		this.queue.put("q", "job");
		this.queue.losingReplies.set(1);
		startWithALateReply();
		CompletableFuture<Void> stopped = stop();
		this.release.countDown();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::kind).containsExactly(Kind.RETURNED);
	}

	@Test
	void reservationWithoutAReplyDelaysAShutdownForSecondsOnly() throws Exception {
		this.fixture.grace = Duration.ofSeconds(60);
		this.queue.failing.set(Integer.MAX_VALUE);
		this.fixture.concurrency = 3;
		this.fixture.start("q");
		await().until(() -> this.queue.calls.get() > 2);
		stop().get(8, TimeUnit.SECONDS);
	}

	@Test
	void endThatCannotCountAnyMoreIsNotRepeatedForEver() throws Exception {
		this.fixture.grace = Duration.ZERO;
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			this.queue.renewalsFail = true;
			return awaitRelease();
		});
		this.queue.put(this.queue.reserved("q", "job", Duration.ofMillis(500)));
		begin();
		stop().get(8, TimeUnit.SECONDS);
		await().until(() -> this.fixture.heartbeat.size() == 0);
		this.fixture.leases.close();
		await().until(() -> this.fixture.threads.heartbeat().isShutdown());
		int calls = this.queue.calls.get();
		await().during(Duration.ofMillis(500)).until(() -> this.queue.calls.get() == calls);
	}

	@Test
	@Tag("scale")
	void jobsWhoseEndsGetNoReplyAreLoggedWithTheirIds(CapturedOutput output) throws Exception {
		this.fixture.grace = Duration.ZERO;
		this.fixture.batch = 4;
		this.fixture.handle("short", () -> null);
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			return awaitRelease();
		});
		begin("short", "short", "short", "job", "job", "job", "job");
		CompletableFuture<Void> stopped = stop();
		this.release.countDown();
		stopped.get(10, TimeUnit.SECONDS);
		this.queue.failing.set(0);
		assertThat(output.getOut().lines().filter((line) -> line.contains("The shutdown continues"))).singleElement()
			.asString()
			.contains("The shutdown continues without a reply for the return of 4 job(s), which have not ended")
			.contains("Check Redis: job job (job-4), job job (job-5), job job (job-6), job job (job-7)")
			.doesNotContain("interrupts");
	}

	@Test
	@Tag("scale")
	void jobThatHasEndedAndGetsNoReplyIsLoggedWithItsId(CapturedOutput output) throws Exception {
		this.fixture.grace = Duration.ZERO;
		this.fixture.handle("job", () -> {
			this.queue.failing.set(Integer.MAX_VALUE);
			return null;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> this.queue.settlements.size() > 1);
		stop().get(10, TimeUnit.SECONDS);
		this.queue.failing.set(0);
		assertThat(output).contains("The shutdown continues without a reply for the ends of 1 job(s)")
			.doesNotContain("for the return of");
	}

	@Test
	@Tag("scale")
	void requestThatGetsNoReplyIsNotLoggedByTheShutdown(CapturedOutput output) throws Exception {
		this.fixture.grace = Duration.ZERO;
		this.queue.failing.set(Integer.MAX_VALUE);
		this.fixture.start("q");
		await().until(() -> this.queue.calls.get() > 2);
		stop().get(8, TimeUnit.SECONDS);
		assertThat(output).doesNotContain("The shutdown continues");
	}

	private void begin(String... jobs) throws InterruptedException {
		List.of(jobs).forEach((job) -> this.queue.put("q", job));
		this.fixture.start("q");
		assertThat(this.started.await(5, TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * Starts the worker, whose first reply arrives after the release.
	 */
	private void startWithALateReply() throws InterruptedException {
		this.queue.beforeReply = () -> {
			this.started.countDown();
			awaitReply(this.release);
		};
		this.fixture.start("q");
		assertThat(this.started.await(5, TimeUnit.SECONDS)).isTrue();
	}

	private CompletableFuture<Void> stop() {
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> this.fixture.lifecycle().stop());
		await().until(() -> !this.fixture.lifecycle().isRunning());
		return stopped;
	}

	private static void awaitReply(CountDownLatch reply) {
		try {
			reply.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Object awaitRelease() throws InterruptedException {
		this.started.countDown();
		return this.release.await(20, TimeUnit.SECONDS);
	}

}
