package io.locket.examples.operations;

import java.util.UUID;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/operations.md.
 */
class OperationsExamplesTests {

	private final String namespace = "locket.namespace=example-" + UUID.randomUUID();

	private final ApplicationContextRunner before = Examples.application(RenamedJobs.Before.class)
		.withPropertyValues(this.namespace);

	private final ApplicationContextRunner after = Examples.application(RenamedJobs.After.class)
		.withPropertyValues(this.namespace, "locket.worker.queues=default");

	@Test
	void newVersionRunsWhatTheOldOneHasEnqueuedUnderAFormerName() {
		this.before.run((old) -> {
			Accepted accepted = (Accepted) old.getBean(Jobs.class).enqueue("billing.invoice", 42);
			this.after.run((context) -> {
				JobStore store = context.getBean(JobStore.class);
				await().until(() -> store.find(accepted.id()).orElseThrow().state() == JobState.SUCCEEDED);
				assertThat(context.getBean(RenamedJobs.After.class).invoices()).containsExactly("42 EUR");
			});
		});
	}

	@Test
	void oldVersionHandsBackWhatItDoesNotKnow() {
		this.after.withPropertyValues("locket.worker.enabled=false").run((context) -> {
			Accepted accepted = (Accepted) context.getBean(Jobs.class).enqueue("billing.billIn", 42, "CHF");
			this.before.withPropertyValues("locket.worker.queues=default").run((old) -> {
				JobStore store = old.getBean(JobStore.class);
				await().until(() -> store.find(accepted.id()).orElseThrow().state() == JobState.RETRY);
				assertThat(store.find(accepted.id()).orElseThrow().attempt()).isZero();
			});
		});
	}

}
