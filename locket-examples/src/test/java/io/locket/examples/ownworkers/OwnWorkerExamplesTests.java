package io.locket.examples.ownworkers;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.examples.Examples;
import io.locket.queue.JobQueue;
import io.locket.queue.JobStore;
import io.locket.queue.NewJob;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the example of docs/own-workers.md.
 */
class OwnWorkerExamplesTests {

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
		return new NewJob(id, "shipping.ship", "standard", "[\"" + id + "\"," + weight + "]", null, LockStrategy.NONE,
				DuplicateStrategy.REJECT, ConflictStrategy.PARK, NewJob.Start.NOW, Duration.ofSeconds(35), null,
				Duration.ZERO, Duration.ofSeconds(5), null, 0, null);
	}

}
