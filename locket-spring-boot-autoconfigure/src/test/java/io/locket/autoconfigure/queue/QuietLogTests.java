package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.JobReturned;
import io.locket.event.ReservationCompleted;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that normal jobs cause no log lines.
 */
@ExtendWith(OutputCaptureExtension.class)
class QuietLogTests {

	private static final int JOBS = 1_200;

	private final AtomicInteger reserved = new AtomicInteger();

	@Test
	void jobsThatRunAreNotLoggedAtInfo(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					WorkerAutoConfiguration.class))
			.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.worker.queues=quiet",
					"locket.worker.concurrency=4", "locket.worker.batch=8")
			.withBean(Quiet.class)
			.withBean(JobEventListener.class, () -> this::count)
			.run((context) -> {
				String before = output.getAll();
				assertThat(before).contains("Running queued jobs: ");
				List<EnqueueResult> results = context.getBean(Jobs.class)
					.enqueueAll(IntStream.range(0, JOBS).mapToObj((i) -> JobRequest.of("quiet.run", i % 900)).toList());
				assertThat(results).hasSize(JOBS);
				JobAdministration administration = context.getBean(JobAdministration.class);
				await().atMost(Duration.ofSeconds(20))
					.until(() -> administration.counts("quiet").in(JobState.SUCCEEDED) == JOBS);
				assertThat(context.getBean(Quiet.class).runs()).isEqualTo(JOBS);
				assertThat(this.reserved).as("jobs that were reserved and not given back").hasValue(JOBS);
				assertThat(output.getAll().substring(before.length()).lines())
					.filteredOn((line) -> line.contains(" INFO ") || line.contains(" WARN "))
					.isEmpty();
			});
	}

	private void count(JobEvent event) {
		if (event instanceof ReservationCompleted completed) {
			this.reserved.addAndGet(completed.jobs());
		}
		else if (event instanceof JobReturned) {
			// On a busy machine, a job can wait too long in its batch.
			this.reserved.decrementAndGet();
		}
	}

	static class Quiet {

		private final AtomicInteger runs = new AtomicInteger();

		@UniqueJob(name = "quiet.run", queue = "quiet")
		public void run(int number) {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

}
