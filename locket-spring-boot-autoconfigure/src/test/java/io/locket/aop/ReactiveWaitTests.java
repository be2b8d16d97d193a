package io.locket.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for asynchronous direct calls on a real Redis, with many waiting calls and many
 * that end while Redis hangs.
 */
class ReactiveWaitTests {

	private static final int WAITERS = 1000;

	private static ApplicationContextRunner runner(RedisServer server) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withPropertyValues(server.properties())
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
			.withBean("jobs", Jobs.class);
	}

	@Test
	void thousandWaitersHoldUpNoCallOfAFreeKeyAndAreAllWoken() {
		runner(RedisServer.shared()).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			List<Lease> held = new ArrayList<>();
			List<Disposable> subscriptions = new ArrayList<>();
			CountDownLatch ended = new CountDownLatch(WAITERS);
			for (int id = 0; id < WAITERS; id++) {
				held.add(take(context, id));
				subscriptions.add(jobs.patient(id).subscribe((value) -> ended.countDown()));
			}
			long before = System.nanoTime();
			assertThat(jobs.patient(WAITERS).block(Duration.ofSeconds(5))).isEqualTo("done");
			assertThat(jobs.around(WAITERS).block(Duration.ofSeconds(5))).isEqualTo("done");
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
			assertThat(ended.getCount()).isEqualTo(WAITERS);
			held.forEach(Lease::close);
			assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
			await().until(() -> subscriptions.stream().allMatch(Disposable::isDisposed));
			await().until(() -> context.getBean(LeaseService.class).held(10).isEmpty());
		});
	}

	@Test
	void resultsDoNotWaitForTheirReleasesWhileRedisHangs() throws Exception {
		try (RedisServer server = RedisServer.start()) {
			runner(server).withPropertyValues("locket.redis.command-timeout=2s").run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				List<CompletableFuture<String>> results = new ArrayList<>();
				for (int id = 0; id < 40; id++) {
					results.add(jobs.stage(id));
					results.add(jobs.mono(id).toFuture());
				}
				await().until(() -> context.getBean(LeaseService.class).held(100).size() == 80);
				server.freeze();
				jobs.finish();
				CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).get(1900, TimeUnit.MILLISECONDS);
				server.resume();
				await().atMost(Duration.ofSeconds(10))
					.until(() -> context.getBean(LeaseService.class).held(100).isEmpty());
			});
		}
	}

	private static Lease take(ApplicationContext context, int id) {
		return context.getBean(LeaseService.class)
			.tryAcquire(LeaseRequest.of(context.getBean(UniqueJobs.class).keyOf("jobs.patient", id)))
			.orElseThrow();
	}

	static class Jobs {

		private final CompletableFuture<String> end = new CompletableFuture<>();

		private final Sinks.One<String> value = Sinks.one();

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "60s")
		public Mono<String> patient(int id) {
			return Mono.just("done");
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "60s")
		public Mono<String> around(int id) {
			return patient(id);
		}

		@UniqueJob
		public CompletableFuture<String> stage(int id) {
			return this.end.thenApply((result) -> result);
		}

		@UniqueJob
		public Mono<String> mono(int id) {
			return this.value.asMono();
		}

		void finish() {
			this.end.complete("done");
			this.value.tryEmitValue("done");
		}

	}

}
