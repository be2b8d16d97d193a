package io.locket.worker.consumer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.queue.spi.RunEnd;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.WorkerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JobIntake}.
 */
class JobIntakeTests {

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
	void neitherWorkersNorConsumersTakeJobsWhileTheOthersRunTheirs() throws Exception {
		this.fixture.concurrency = 2;
		this.fixture.handle("job", () -> {
			this.started.countDown();
			return this.release.await(10, TimeUnit.SECONDS);
		});
		String ofWorker = this.queue.put("q", "job");
		String ofConsumer = this.queue.put("mine", "job");
		JobConsumers consumers = this.fixture.consumers();
		JobConsumer consumer = consumers.open("mine", "mine", "q");
		ConsumedJob taken = consumer.poll().orElseThrow();
		this.fixture.start("q");
		assertThat(this.started.await(5, TimeUnit.SECONDS)).isTrue();
		JobIntake intake = new JobIntake(this.fixture.lifecycle(), consumers);
		assertThat(intake.isRunning()).isFalse();
		intake.start();
		assertThat(intake.isRunning()).isTrue();
		intake.stop();
		assertThat(intake.isRunning()).isFalse();
		this.queue.add("q", "job");
		assertThat(consumer.isClosed()).isTrue();
		assertThatIllegalStateException().isThrownBy(consumer::poll);
		assertThatIllegalStateException().isThrownBy(() -> consumers.open("late", "q"));
		assertThat(this.fixture.lifecycle().isRunning()).isTrue();
		assertThat(consumers.isRunning()).isTrue();
		assertThat(taken.isLost()).isFalse();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> {
			this.fixture.lifecycle().stop();
			consumers.stop();
		});
		this.release.countDown();
		assertThat(taken.succeed()).isTrue();
		stopped.get(5, TimeUnit.SECONDS);
		assertThat(this.queue.ends).extracting(RunEnd::id).containsExactlyInAnyOrder(ofWorker, ofConsumer);
		assertThat(consumers.isRunning()).isFalse();
	}

}
