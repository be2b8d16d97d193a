package io.locket.examples.queues;

import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/queues.md.
 */
class QueueExamplesTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	private static final Instant NOW = Instant.parse("2026-05-31T22:00:00Z");

	private final ApplicationContextRunner producer = Examples.application(Billing.class, Producer.class);

	@Test
	void workerRunsTheJobOnce() {
		this.producer.withPropertyValues("locket.worker.queues=invoices,default", "locket.worker.concurrency=8")
			.run((context) -> {
				List<EnqueueResult> results = context.getBean(Producer.class).enqueue(MAY, NOW);
				assertThat(results.get(0)).isInstanceOf(Accepted.class);
				await().untilAsserted(() -> assertThat(context.getBean(Billing.class).invoices())
					.containsExactly("42 2026-05 in invoices"));
			});
	}

	@Test
	void duplicateIsReturned() {
		this.producer.run((context) -> {
			List<EnqueueResult> results = context.getBean(Producer.class).enqueue(MAY, NOW);
			String id = ((Accepted) results.get(0)).id();
			assertThat(results.get(1)).isEqualTo(new Duplicate(id, JobState.READY));
		});
	}

	@Test
	void nightQueuesAreLeftOutByDay() {
		List<String> queues = List.of("night-reports", "invoices");
		assertThat(at("2026-05-31T12:00:00Z").filter(queues)).containsExactly("invoices");
		assertThat(at("2026-05-31T05:00:00Z").filter(queues)).isEqualTo(queues);
	}

	private static NightQueues at(String time) {
		return new NightQueues(Clock.fixed(Instant.parse(time), ZoneOffset.UTC));
	}

}
