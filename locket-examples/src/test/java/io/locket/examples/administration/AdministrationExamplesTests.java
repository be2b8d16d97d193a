package io.locket.examples.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/administration.md.
 */
class AdministrationExamplesTests {

	private static final Instant NOW = Instant.parse("2026-05-31T22:00:00Z");

	private final ApplicationContextRunner application = Examples.application(Billing.class, Administrator.class);

	@Test
	void jobsAreFoundUpdatedAndRequeued() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobStore store = context.getBean(JobStore.class);
			Administrator administrator = context.getBean(Administrator.class);
			Accepted dead = (Accepted) jobs.enqueue("billing.bill", 41, "2026-05", NOW);
			die(context.getBean(JobQueue.class));
			Accepted one = (Accepted) jobs.enqueue("billing.bill", 42, "2026-05", NOW);
			jobs.enqueue("billing.bill", 43, "2026-05", NOW);
			Accepted later = (Accepted) jobs.enqueue(EnqueueOptions.in(Duration.ofDays(1)).queue("mail"),
					"billing.bill", 44, "2026-05", NOW);

			assertThat(administrator.look(one.id())).isEqualTo("2 2 1 1 1 [42, 2026-05, 2026-05-31T22:00:00Z]");
			assertThat(administrator.watch()).isEqualTo("invoices 2 true instance");
			assertThat(administrator.throughput()).isZero();
			administrator.quiet("instance");
			assertThat(context.getBean(JobQueue.class).refreshQuiet("instance", false)).isFalse();
			assertThat(administrator.attempts(dead.id())).startsWith("1 instance ");
			assertThat(administrator.updateMany(NOW, Instant.now().plus(Duration.ofHours(1)))).isEqualTo("1 1 1");
			assertThat(store.find(one.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
			assertThat(store.find(later.id()).orElseThrow().queue()).isEqualTo("slow");
			assertThat(store.find(dead.id()).orElseThrow().requeuedAs()).isNotNull();
			administrator.updateOne(later.id());
			assertThat(store.find(later.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
			assertThat(administrator.clearUp()).isEqualTo(2);
		});
	}

	@Test
	void unreadableRecordIsListedAndDiscarded() {
		this.application.run((context) -> {
			Accepted job = (Accepted) context.getBean(Jobs.class).enqueue("billing.bill", 45, "2026-05", NOW);
			String namespace = context.getEnvironment().getRequiredProperty("locket.namespace");
			context.getBean(StringRedisTemplate.class)
				.opsForHash()
				.put("{" + namespace + "}:jobs", job.id(), "damaged");
			context.getBean(JobAdministration.class).repair();
			assertThat(context.getBean(Administrator.class).inspectUnreadable()).isEqualTo("1 damaged true");
		});
	}

	private static void die(JobQueue queue) {
		ReservationRequest request = new ReservationRequest("request", "poller", "instance", "thread",
				List.of(new QueueLimit("invoices", 0)), 1);
		queue.settle(List.of(RunEnd.dead(queue.reserve(request).jobs().get(0), "no SMTP server replies")), null);
	}

}
