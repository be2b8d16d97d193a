package io.locket.examples.migration.sidekiq;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.EnqueueResult.Replaced;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/sidekiq-unique-jobs.md.
 */
class SidekiqExamplesTests {

	private final ApplicationContextRunner application = Examples.application(MyJob.class, Reflections.class);

	@Test
	void duplicateIsRefusedAndLogged() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Accepted first = (Accepted) jobs.enqueue("myJob.perform", 42);
			EnqueueResult second = jobs.enqueue("myJob.perform", 42);
			assertThat(second).isEqualTo(new Duplicate(first.id(), JobState.READY));
			assertThat(jobs.enqueue("myJob.perform", 43)).isInstanceOf(Accepted.class);
			assertThat(context.getBean(Reflections.class).log())
				.containsExactly("Not enqueued: myJob.perform, " + first.id() + " is there");
		});
	}

	@Test
	void otherOptionsDoAsTheySay() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.enqueue("myJob.stamped", 42, 1)).isInstanceOf(Accepted.class);
			assertThat(jobs.enqueue("myJob.stamped", 42, 2)).isInstanceOf(Duplicate.class);
			assertThat(jobs.enqueue("myJob.both", 42)).isInstanceOf(Accepted.class);
			assertThat(jobs.enqueue("myJob.both", 42)).isInstanceOf(Duplicate.class);
			Accepted latest = (Accepted) jobs.enqueue("myJob.latest", 42, "old");
			assertThat(jobs.enqueue("myJob.latest", 42, "new")).isEqualTo(new Replaced(latest.id()));
		});
	}

	@Test
	void periodOutlivesTheRun() {
		this.application.withPropertyValues("locket.worker.queues=default").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobStore store = context.getBean(JobStore.class);
			jobs.enqueue("myJob.hourly", 42);
			await().until(() -> store.counts("default").in(JobState.SUCCEEDED) == 1);
			assertThat(jobs.enqueue("myJob.hourly", 42)).isInstanceOf(Duplicate.class);
			assertThat(context.getBean(MyJob.class).users()).containsExactly(42L);
		});
	}

}
