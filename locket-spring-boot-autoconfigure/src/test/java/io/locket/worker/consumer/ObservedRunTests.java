package io.locket.worker.consumer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.JobContext;
import io.locket.event.RecordingJobObserver;
import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd.Kind;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.WorkerFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the observation of queued runs.
 */
class ObservedRunTests {

	private final WorkerFixture fixture = new WorkerFixture();

	private final FakeJobQueue queue = this.fixture.queue;

	private final RecordingJobObserver observer = new RecordingJobObserver();

	ObservedRunTests() {
		this.fixture.observers.add(this.observer);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void bodyIsObservedAroundItsRun() {
		CompletableFuture<Object> during = new CompletableFuture<>();
		this.fixture.handle("job", () -> during.complete(this.observer.told.toString()));
		run("job");
		assertThat(during).isCompletedWithValue("[begin job]");
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end SUCCEEDED");
	}

	@Test
	void observersKnowHowLongTheJobWasDueAndWhatWasStoredWithIt() {
		this.fixture.handle("job", () -> null);
		put(Duration.ofMillis(400), "trace");
		put(Duration.ofMillis(-400), null);
		put(Duration.ofSeconds(9), null);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 3);
		assertThat(this.observer.runs).extracting(JobRun::waited)
			.containsExactly(Duration.ofMillis(600), Duration.ofSeconds(1), Duration.ZERO);
		assertThat(this.observer.runs).extracting(JobRun::trace).containsExactly("trace", null, null);
		assertThat(this.observer.runs).extracting(JobRun::context).allMatch((run) -> run.queuedRun().isPresent());
	}

	private void put(Duration delay, @Nullable String trace) {
		ReservedJob reserved = this.queue.reserved("q", "job", Duration.ofSeconds(35));
		JobRecord job = reserved.record();
		this.queue.put(FakeJobQueue.with(reserved,
				new JobRecord(job.version(), job.id(), job.job(), job.queue(), job.arguments(), job.key(), job.lock(),
						job.onConflict(), job.state(), job.enqueuedAt(), job.enqueuedAt().plus(delay), job.startedAt(),
						job.endedAt(), job.attempt(), job.retries(), job.reclaims(), job.instance(), job.leaseFor(),
						job.cancelled(), job.lastError(), trace, job.supersededBy(), job.requeuedAs(), null, null)));
	}

	@Test
	void bodyThatFailsIsObserved() {
		this.fixture.handle("job", () -> {
			throw new IllegalStateException("failed");
		}).masked = true;
		run("job");
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end FAILED IllegalStateException");
		assertThat(this.observer.runs).singleElement().satisfies((run) -> assertThat(run.masked()).isTrue());
	}

	@Test
	void bodyThatTakesTooLongHasFailed() {
		this.fixture.handle("job", () -> {
			new CountDownLatch(1).await();
			return null;
		}).timeout = Duration.ofMillis(50);
		run("job");
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end FAILED JobTimeoutException");
	}

	@Test
	void bodyThatIsInterruptedByTheShutdownHasNotFailed() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		this.fixture.grace = Duration.ZERO;
		this.fixture.handle("job", () -> {
			started.countDown();
			new CountDownLatch(1).await();
			return null;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
		this.fixture.close();
		assertThat(this.queue.endsOf(Kind.RETURNED)).hasSize(1);
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end INTERRUPTED InterruptedException");
	}

	@Test
	void bodyEndsWithTheStageThatItReturns() {
		CompletableFuture<Object> stage = new CompletableFuture<>();
		CountDownLatch returned = new CountDownLatch(1);
		this.fixture.handle("job", () -> {
			returned.countDown();
			return stage;
		});
		this.queue.put("q", "job");
		this.fixture.start("q");
		await().until(() -> returned.getCount() == 0);
		assertThat(this.observer.told).containsExactly("begin job");
		stage.completeExceptionally(new IllegalStateException("late"));
		await().until(() -> this.queue.ends.size() == 1);
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end FAILED IllegalStateException");
	}

	@Test
	void jobWhoseBodyDoesNotStartIsNoRun() {
		this.fixture.handle("job", () -> null).unreadable = new UnreadableArgumentsException("no number");
		run("job");
		assertThat(this.observer.runs).isEmpty();
	}

	@Test
	void observerThatFailsHarmsNoRun() {
		this.fixture.observers.add(0, new JobObserver() {

			@Override
			public EnqueueObservation enqueuing(EnqueueCall call) {
				throw new AssertionError("Nothing is enqueued here");
			}

			@Override
			public RunObservation running(JobRun run) {
				throw new IllegalStateException("an observer that fails");
			}

		});
		this.fixture.handle("job", () -> null);
		run("job");
		assertThat(this.queue.endsOf(Kind.SUCCEEDED)).hasSize(1);
		assertThat(this.observer.told).endsWith("end SUCCEEDED");
	}

	@Test
	void bodiesOfConsumersAreObserved() throws Exception {
		ConsumedJob job = take();
		assertThat(job.<Object>call(() -> JobContext.required().job())).isEqualTo("job");
		assertThatIllegalStateException().isThrownBy(() -> job.call(() -> {
			throw new IllegalStateException("failed");
		}));
		assertThat(this.observer.told).containsExactly("begin job", "leave", "end SUCCEEDED", "begin job", "leave",
				"end FAILED IllegalStateException");
		assertThat(job.succeed()).isTrue();
	}

	@Test
	void bodyOfAnOwnWorkerEndsWithTheStageThatItReturns() throws Exception {
		ConsumedJob job = take();
		CompletableFuture<String> stage = new CompletableFuture<>();
		job.call(() -> stage);
		assertThat(this.observer.told).containsExactly("begin job", "leave");
		stage.complete("done");
		assertThat(this.observer.told).endsWith("end SUCCEEDED");
		assertThat(job.succeed()).isTrue();
	}

	@Test
	void stageOfAnOwnWorkerFailsWithItsCauseAndIsInterruptedWhenItIsCancelled() throws Exception {
		ConsumedJob job = take();
		CompletableFuture<String> failing = new CompletableFuture<>();
		job.call(() -> failing.thenApply(String::trim).thenApply(String::trim));
		failing.completeExceptionally(new IllegalStateException("late"));
		assertThat(this.observer.told).endsWith("end FAILED IllegalStateException");
		CompletableFuture<String> cancelled = new CompletableFuture<>();
		job.call(() -> cancelled.thenApply(String::trim));
		cancelled.cancel(false);
		assertThat(this.observer.told).endsWith("end INTERRUPTED CancellationException");
		assertThat(job.succeed()).isTrue();
	}

	private ConsumedJob take() {
		this.queue.put("q", "job");
		return this.fixture.consumers().open("mine", "q").poll().orElseThrow();
	}

	private void run(String job) {
		this.queue.put("q", job);
		this.fixture.start("q");
		await().until(() -> this.queue.ends.size() == 1);
	}

}
