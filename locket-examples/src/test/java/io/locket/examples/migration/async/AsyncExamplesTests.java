package io.locket.examples.migration.async;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the examples in docs/migration/async-and-batch.md.
 */
class AsyncExamplesTests {

	@Test
	void executorRunsTheOldMethodAndAWorkerTheNewOne() {
		Examples.application(OldMailing.class, Mailing.class, Registration.class, AsyncConfiguration.class)
			.withPropertyValues("locket.worker.queues=mail")
			.run((context) -> {
				context.getBean(OldMailing.class).send("ada@example.org", "Welcome");
				await().until(() -> context.getBean(OldMailing.class).mails().size() == 1);
				context.getBean(Registration.class).register("ada@example.org");
				await().until(() -> context.getBean(Mailing.class).mails().size() == 1);
			});
	}

	@Test
	void asynchronousMethodThatCallsTheGuardedOneIsExcluded() {
		Examples.application(Mailing.class, AsyncMailing.class, AsyncConfiguration.class).run((context) -> {
			Mailing mailing = context.getBean(Mailing.class);
			AsyncMailing async = context.getBean(AsyncMailing.class);
			LeaseRequest key = LeaseRequest
				.of(context.getBean(UniqueJobs.class).keyOf("mailing.send", "ada@example.org", "Welcome"));
			try (Lease held = context.getBean(LeaseService.class).tryAcquire(key).orElseThrow()) {
				async.send("ada@example.org", "Welcome");
				async.send("bob@example.org", "Welcome");
				await().until(() -> mailing.mails().contains("bob@example.org: Welcome"));
			}
			assertThat(mailing.mails()).doesNotContain("ada@example.org: Welcome");
		});
	}

	@Test
	void jobThatRunsABatchJobFailsWithIt() {
		Examples.application(MonthEnd.class, BatchConfiguration.class)
			.withPropertyValues("locket.worker.queues=default", "locket.retry.backoff.initial=10ms")
			.run((context) -> {
				JobStore store = context.getBean(JobStore.class);
				context.getBean(Jobs.class).enqueue(MonthEnd.class, (month) -> month.close("2026-05"));
				await().until(() -> store.counts("default").in(JobState.SUCCEEDED) == 1);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class BatchConfiguration {

		@Bean
		Job closeMonth() {
			return mock(Job.class);
		}

		/**
		 * Fails once, and then completes.
		 */
		@Bean
		JobOperator operator() throws Exception {
			JobExecution execution = mock(JobExecution.class);
			given(execution.getStatus()).willReturn(BatchStatus.FAILED, BatchStatus.FAILED, BatchStatus.COMPLETED);
			JobOperator operator = mock(JobOperator.class);
			given(operator.start(any(Job.class), any())).willReturn(execution);
			return operator;
		}

	}

}
