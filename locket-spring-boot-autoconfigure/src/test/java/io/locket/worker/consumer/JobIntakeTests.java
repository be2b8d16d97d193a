package io.locket.worker.consumer;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.queue.spi.RunEnd;
import io.locket.worker.FakeJobQueue;
import io.locket.worker.WorkerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

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
		this.queue.put("q", "job");
		int requests = this.queue.requests.size();
		JobIntake intake = new JobIntake(this.fixture.lifecycle(), consumers);
		assertThat(intake.isRunning()).isFalse();
		intake.start();
		assertThat(intake.isRunning()).isTrue();
		intake.stop();
		assertThat(intake.isRunning()).isFalse();
		assertThat(consumer.isClosed()).isTrue();
		assertThatIllegalStateException().isThrownBy(consumer::poll);
		assertThatIllegalStateException().isThrownBy(() -> consumers.open("late", "q"));
		assertThat(this.fixture.lifecycle().isRunning()).isTrue();
		assertThat(consumers.isRunning()).isTrue();
		this.release.countDown();
		await().until(() -> !this.queue.ends.isEmpty());
		this.fixture.lifecycle().stop();
		assertThat(taken.isLost()).isFalse();
		assertThat(taken.succeed()).isTrue();
		consumers.stop();
		assertThat(consumers.isRunning()).isFalse();
		assertThat(this.queue.ends).extracting(RunEnd::id).containsExactly(ofWorker, ofConsumer);
		assertThat(this.queue.requests).hasSize(requests);
	}

	@Test
	void workersStopBeforeConsumersAndBothAfterTheIntake() {
		this.fixture.start("q");
		JobConsumers consumers = this.fixture.consumers();
		JobIntake intake = new JobIntake(this.fixture.lifecycle(), consumers);
		assertThat(intake.getPhase()).isGreaterThan(this.fixture.lifecycle().getPhase());
		assertThat(this.fixture.lifecycle().getPhase()).isGreaterThan(consumers.getPhase());
	}

}
