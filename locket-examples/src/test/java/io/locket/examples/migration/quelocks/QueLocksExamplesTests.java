package io.locket.examples.migration.quelocks;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/que-locks.md.
 */
class QueLocksExamplesTests {

	private final ApplicationContextRunner application = Examples.application(SomeJob.class, ProcessCreditCardJob.class)
		.withInitializer(Examples.configurationOf("docs/migration/que-locks.md"));

	@Test
	void floodOfEqualJobsIsOneJob() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			SomeJob job = context.getBean(SomeJob.class);
			assertThat(jobs.enqueue("someJob.run", 1, "bar")).isInstanceOf(EnqueueResult.Accepted.class);
			await().until(() -> job.runs().size() == 1);
			for (int i = 0; i < 99; i++) {
				assertThat(jobs.enqueue("someJob.run", 1, "bar")).isInstanceOf(EnqueueResult.Duplicate.class);
			}
			UniqueJobs uniqueJobs = context.getBean(UniqueJobs.class);
			boolean exclusive = uniqueJobs.isExclusive("someJob.run");
			boolean available = uniqueJobs.isAvailable("someJob.run", 1, "bar");
			assertThat(exclusive).isTrue();
			assertThat(available).isFalse();
			assertThat(uniqueJobs.isAvailable("someJob.run", 2, "bar")).isTrue();
			job.open();
			JobStore store = context.getBean(JobStore.class);
			await().until(() -> store.counts("default").in(JobState.SUCCEEDED) == 1);
			assertThat(job.runs()).containsExactly("1 bar");
			assertThat(uniqueJobs.isAvailable("someJob.run", 1, "bar")).isTrue();
		});
	}

	@Test
	void jobThatWaitsIsNotAvailable() {
		this.application.withPropertyValues("locket.worker.enabled=false").run((context) -> {
			UniqueJobs uniqueJobs = context.getBean(UniqueJobs.class);
			assertThat(uniqueJobs.isAvailable("someJob.run", 1, "bar")).isTrue();
			context.getBean(Jobs.class).enqueue("someJob.run", 1, "bar");
			assertThat(uniqueJobs.isAvailable("someJob.run", 1, "bar")).isFalse();
			assertThat(uniqueJobs.blocker("someJob.run", 1, "bar")).isPresent();
		});
	}

	@Test
	void queueRunsNoMoreAtOnceThanItMay() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			ProcessCreditCardJob job = context.getBean(ProcessCreditCardJob.class);
			for (int i = 0; i < 3; i++) {
				jobs.enqueue("processCreditCardJob.run", i);
			}
			JobStore store = context.getBean(JobStore.class);
			await().until(() -> job.running() == 2);
			assertThat(store.counts("remote_api_jobs").in(JobState.READY)).isOne();
			job.open();
			await().until(() -> store.counts("remote_api_jobs").in(JobState.SUCCEEDED) == 3);
		});
	}

}
