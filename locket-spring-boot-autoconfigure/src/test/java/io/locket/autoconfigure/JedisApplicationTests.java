package io.locket.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.testing.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application whose Redis driver is Jedis, on a single Redis.
 */
class JedisApplicationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class, LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class))
		.withPropertyValues(redisProperties())
		.withPropertyValues("spring.data.redis.client-type=jedis", "locket.namespace=" + RedisServer.newNamespace(),
				"locket.worker.queues=default", "locket.worker.poll-interval=10s", "locket.worker.concurrency=2")
		.withBean("billing", Billing.class);

	String[] redisProperties() {
		return RedisServer.shared().properties();
	}

	@Test
	void leasesExcludeOneAnotherAreRenewedAndWaitedFor() {
		this.runner.run((context) -> {
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			LeaseService leases = context.getBean(LeaseService.class);
			LeaseRequest request = LeaseRequest.of(leases.keyOf("nightly", 1)).lasting(Duration.ofSeconds(30));
			Lease lease = leases.tryAcquire(request).orElseThrow();
			assertThat(leases.tryAcquire(request)).isEmpty();
			assertThat(lease.renew()).isTrue();
			assertThat(leases.find(lease.key())).isPresent();
			CompletableFuture<Lease> waiting = CompletableFuture
				.supplyAsync(() -> leases.tryAcquire(request.waiting(PATIENCE)).orElseThrow());
			lease.close();
			try (Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
			}
		});
	}

	@Test
	void jobsRunParkRetryAndFireBySchedule() {
		this.runner.run((context) -> {
			Billing billing = context.getBean(Billing.class);
			Jobs jobs = context.getBean(Jobs.class);
			JobStore store = context.getBean(JobStore.class);
			CountDownLatch started = new CountDownLatch(1);
			CompletableFuture<Void> end = new CompletableFuture<>();
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> billing.close(7, () -> {
				started.countDown();
				end.join();
			}));
			assertThat(started.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
			jobs.enqueue(EnqueueOptions.now().id("parked"), "close", 7, null);
			await().atMost(PATIENCE).until(() -> state(store, "parked") == JobState.PARKED);
			end.complete(null);
			call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			await().atMost(PATIENCE).until(() -> state(store, "parked") == JobState.SUCCEEDED);
			jobs.enqueue(EnqueueOptions.now().id("retried"), "bill", 2);
			await().atMost(PATIENCE).until(() -> state(store, "retried") == JobState.SUCCEEDED);
			jobs.enqueueAll(List.of(JobRequest.of("bill", 4), JobRequest.of("bill", 6)));
			context.getBean(Schedules.class)
				.put(ScheduleRequest.every("often", Duration.ofSeconds(1), JobRequest.of("bill", 8)));
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(billing.log()).contains("bill 2 again", "bill 4 again", "bill 6 again",
						"bill 8 again"));
			assertThat(store.verify()).isEmpty();
		});
	}

	private static JobState state(JobStore store, String id) {
		return store.find(id).orElseThrow().state();
	}

	static class Billing {

		private final List<String> log = new CopyOnWriteArrayList<>();

		public List<String> log() {
			return this.log;
		}

		@UniqueJob(name = "close", key = "{#customer}", onConflict = ConflictStrategy.PARK)
		public void close(int customer, @Nullable Runnable body) {
			if (body != null) {
				body.run();
			}
		}

		@UniqueJob(name = "bill", backoff = "100ms")
		public void bill(int customer) {
			if (JobContext.required().queuedRun().orElseThrow().attempt() == 1) {
				throw new IllegalStateException("This failure is part of the test");
			}
			this.log.add("bill " + customer + " again");
		}

	}

}
