package io.locket.examples.howto.deploys;

import java.util.List;
import java.util.UUID;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult.Accepted;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/how-to/deploy-gracefully.md.
 */
class DeployTests {

	private final String namespace = "example-" + UUID.randomUUID();

	private final Rows rows = new Rows();

	@Test
	void nextReplicaFinishesTheInterruptedExport() {
		ApplicationContextRunner replica = Examples.application(Exports.class)
			.withBean(Rows.class, () -> this.rows)
			.withInitializer(Examples.configurationOf("docs/how-to/deploy-gracefully.md"))
			.withPropertyValues("locket.namespace=" + this.namespace, "locket.worker.queues=exports");
		String[] id = new String[1];
		replica.withPropertyValues("locket.worker.shutdown-grace=100ms").run((context) -> {
			id[0] = ((Accepted) context.getBean(Jobs.class).enqueue("exports.write", 7)).id();
			this.rows.awaitSlowRow();
		});
		assertThat(this.rows.written()).containsExactly("a", "b");
		replica.run((context) -> {
			JobAdministration jobs = context.getBean(JobAdministration.class);
			await()
				.untilAsserted(() -> assertThat(jobs.find(id[0]).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED));
			assertThat(jobs.find(id[0]).orElseThrow().attempt()).isZero();
			assertThat(this.rows.written()).isEqualTo(List.of("a", "b", "c"));
		});
	}

}
