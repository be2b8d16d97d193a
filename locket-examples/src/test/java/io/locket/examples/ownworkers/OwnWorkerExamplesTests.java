package io.locket.examples.ownworkers;

import java.time.Duration;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.examples.Examples;
import io.locket.key.JobKeys;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the example in docs/own-workers.md.
 */
class OwnWorkerExamplesTests {

	private static final JobKeys KEYS = new JobKeys();

	private final ApplicationContextRunner application = Examples.application(Shipping.class);

	@Test
	void threadOfTheApplicationRunsJobsWhoseMethodIsElsewhere() {
		this.application.run((context) -> {
			JobStore store = context.getBean(JobStore.class);
			context.getBean(JobQueue.class).enqueue(parcel("P-1", 300));
			context.getBean(JobQueue.class).enqueue(parcel("P-2", -1));
			Shipping shipping = context.getBean(Shipping.class);
			Thread worker = new Thread(shipping);
			worker.start();
			await().until(() -> store.counts("standard").in(JobState.SUCCEEDED) == 1);
			await().until(() -> store.find("P-2").orElseThrow().state() == JobState.DEAD);
			assertThat(shipping.sent()).containsExactly("P-1 of 300 grams, fenced");
			worker.interrupt();
			worker.join(Duration.ofSeconds(10).toMillis());
			assertThat(worker.isAlive()).isFalse();
			assertThat(store.verify()).isEmpty();
		});
	}

	private static NewJob parcel(String id, int weight) {
		return NewJob.builder(id, "shipping.ship", "standard")
			.arguments("[\"" + id + "\"," + weight + "]")
			.unique(LockStrategy.WHILE_EXECUTING, KEYS.keyOf("shipping.ship", id, false), null)
			.build();
	}

}
