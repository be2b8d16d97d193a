package io.locket.examples.migration.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.locket.UniqueJob;
import io.locket.examples.Examples;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leases, jobs and schedules on a {@link RedissonConnectionFactory}, as the
 * starter of Redisson defines it.
 */
class RedissonConnectionFactoryTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ApplicationContextRunner application = Examples
		.application(Factory.class, RedissonConfiguration.class, Reports.class)
		.withPropertyValues("locket.worker.queues=default", "locket.worker.poll-interval=10s");

	@Test
	void waiterGetsALeaseWhenItIsReleased() {
		this.application.run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			Lease held = leases.tryAcquire("report", 1).orElseThrow();
			assertThat(held.renew()).isTrue();
			LeaseRequest request = LeaseRequest.of(held.key()).waitingForRelease(PATIENCE);
			FutureTask<Lease> waiter = new FutureTask<>(() -> leases.tryAcquire(request).orElseThrow());
			Thread thread = new Thread(waiter);
			thread.start();
			await().atMost(PATIENCE).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			held.close();
			try (Lease next = waiter.get(PATIENCE.toSeconds() / 2, TimeUnit.SECONDS)) {
				assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			}
		});
	}

	@Test
	void jobsRunWhetherTheyAreReadyDelayedOrScheduled() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueueAll(List.of(JobRequest.of("report", "ready"), JobRequest.of("report", "too")));
			jobs.enqueue(EnqueueOptions.in(Duration.ofSeconds(1)), "report", "delayed");
			context.getBean(Schedules.class)
				.put(ScheduleRequest.every("often", Duration.ofSeconds(1), JobRequest.of("report", "scheduled")));
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(context.getBean(Reports.class).written()).contains("ready", "too",
						"delayed", "scheduled"));
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Factory {

		@Bean
		RedissonConnectionFactory redissonConnectionFactory(RedissonClient redisson) {
			return new RedissonConnectionFactory(redisson);
		}

	}

	static class Reports {

		private final List<String> written = new CopyOnWriteArrayList<>();

		public List<String> written() {
			return this.written;
		}

		@UniqueJob(name = "report")
		public void write(String text) {
			this.written.add(text);
		}

	}

}
