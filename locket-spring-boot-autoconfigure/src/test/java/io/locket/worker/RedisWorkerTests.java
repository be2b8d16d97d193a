package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.lease.redis.LeaseKeys;
import io.locket.observer.JobObservers;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.redis.QueueSettings;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.redis.RedisJobStore;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import io.locket.worker.reservation.IdleQueueFilter;
import io.locket.worker.run.QueueRunRenewer;
import io.locket.worker.run.RunParts;
import io.locket.worker.run.UniqueJobHandlers;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WeightedQueue;
import io.locket.worker.settings.WorkerSettings;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for workers on the queue in Redis, which run the jobs of beans.
 */
class RedisWorkerTests {

	private static final AtomicInteger IDS = new AtomicInteger();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
		.withUserConfiguration(WorkerConfiguration.class)
		.withBean("jobs", Jobs.class);

	@Test
	void jobsOfOneKeyRunOneAfterAnotherAndOthersBesideThem() {
		this.contextRunner.run((context) -> {
			List<NewJob> enqueued = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				enqueued.add(job(context, "jobs.count", i % 10));
			}
			context.getBean(JobQueue.class).enqueue(enqueued);
			Jobs jobs = context.getBean(Jobs.class);
			await().atMost(Duration.ofSeconds(30)).until(() -> ended(context, JobState.SUCCEEDED) == 200);
			assertThat(jobs.overlaps()).hasValue(0);
			assertThat(jobs.runs()).hasValue(200);
			assertThat(jobs.fences()).doesNotHaveDuplicates().doesNotContain(0L);
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
			assertThat(context.getBean(LeaseService.class).held(10)).isEmpty();
			assertThat(context.getBean(LeaseHeartbeat.class).size()).isZero();
		});
	}

	/**
	 * Half of the workers have the previous version, as in a rolling update.
	 */
	@Test
	void jobThatOnlyTheNewVersionKnowsRunsAtOnceAndKeepsTheOldVersionFromNothing() {
		this.contextRunner.run((old) -> this.contextRunner.run((second) -> {
			ApplicationContextRunner updated = this.contextRunner.withBean("fresh", FreshJobs.class);
			updated.run((context) -> {
				List<NewJob> enqueued = new ArrayList<>();
				for (int i = 0; i < 200; i++) {
					enqueued.add(job(context, (i % 2 == 0) ? "fresh.run" : "jobs.count", i));
				}
				context.getBean(JobQueue.class).enqueue(enqueued);
				await().atMost(Duration.ofSeconds(8)).until(() -> ended(context, JobState.SUCCEEDED) == 200);
				NewJob late = job(context, "fresh.run", 1000);
				context.getBean(JobQueue.class).enqueue(late);
				JobStore store = context.getBean(JobStore.class);
				await().atMost(Duration.ofSeconds(2))
					.until(() -> store.find(late.id()).orElseThrow().state() == JobState.SUCCEEDED);
				assertThat(context.getBean(FreshJobs.class).runs()).hasValue(101);
				assertThat(store.verify()).isEmpty();
			});
		}));
	}

	/**
	 * Jobs that are still unknown to all workers wait, and a worker of the new version
	 * finds them when it starts.
	 */
	@Test
	void workerOfTheNewVersionFindsWhatTheOldOneHasSetAside() {
		this.contextRunner.run((old) -> {
			NewJob[] jobs = new NewJob[30];
			for (int i = 0; i < jobs.length; i++) {
				jobs[i] = NewJob.builder("fresh-" + IDS.incrementAndGet(), "fresh.run", "q")
					.arguments("[" + i + "]")
					.retries(3)
					.build();
			}
			old.getBean(JobQueue.class).enqueue(List.of(jobs));
			old.getBean(JobQueue.class).enqueue(job(old, "jobs.count", 1));
			await().until(() -> ended(old, JobState.SUCCEEDED) == 1);
			await().until(() -> ended(old, JobState.RETRY) == jobs.length);
			this.contextRunner.withBean("fresh", FreshJobs.class)
				.run((context) -> await().atMost(Duration.ofSeconds(5))
					.until(() -> ended(context, JobState.SUCCEEDED) == jobs.length + 1));
		});
	}

	@Test
	void keyThatIsReleasedByForceIsLostAndTheJobRunsAgain() {
		this.contextRunner.withPropertyValues("locket.lease.heartbeat=200ms").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			context.getBean(JobQueue.class).enqueue(job(context, "jobs.hang", 1));
			assertThat(jobs.started().await(10, TimeUnit.SECONDS)).isTrue();
			LeaseService leases = context.getBean(LeaseService.class);
			HeldLease held = leases.held(10).get(0);
			leases.forceRelease(held.digest());
			await().atMost(Duration.ofSeconds(10)).until(() -> ended(context, JobState.SUCCEEDED) == 1);
			assertThat(jobs.causes()).containsExactly(LeaseLossCause.GONE);
			assertThat(jobs.runs()).hasValue(2);
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	@Test
	void jobThatIsCancelledLearnsOfItAndEndsSo() {
		this.contextRunner.withPropertyValues("locket.lease.heartbeat=200ms").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			JobStore store = context.getBean(JobStore.class);
			NewJob job = job(context, "jobs.untilCancelled", 1);
			queue.enqueue(job);
			assertThat(context.getBean(Jobs.class).started().await(10, TimeUnit.SECONDS)).isTrue();
			store.cancel(job.id());
			await().atMost(Duration.ofSeconds(10)).until(() -> store.find(job.id()).orElseThrow().state().isEnded());
		});
	}

	@Test
	void shutdownReturnsWhatItInterrupts() {
		List<String> ids = new CopyOnWriteArrayList<>();
		this.contextRunner.run((context) -> {
			NewJob job = job(context, "jobs.hang", 1);
			ids.add(job.id());
			JobQueue queue = context.getBean(JobQueue.class);
			JobStore store = context.getBean(JobStore.class);
			queue.enqueue(job);
			assertThat(context.getBean(Jobs.class).started().await(10, TimeUnit.SECONDS)).isTrue();
			context.getBean(WorkerLifecycle.class).stop();
			assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(JobState.READY);
			assertThat(store.find(job.id()).orElseThrow().attempt()).isZero();
			assertThat(store.verify()).isEmpty();
		});
	}

	private static long ended(ApplicationContext context, JobState state) {
		return context.getBean(JobStore.class).counts("q").in(state);
	}

	private static NewJob job(ApplicationContext context, String name, int argument) {
		return NewJob.builder("id-" + IDS.incrementAndGet(), name, "q")
			.arguments("[" + argument + "]")
			.unique(LockStrategy.WHILE_EXECUTING, context.getBean(UniqueJobs.class).keyOf(name, argument), null)
			.retries(3)
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	static class WorkerConfiguration {

		@Bean(destroyMethod = "")
		RedisJobQueue queue(RedisConnections connections, LeaseKeys keys, JobEventPublisher events) {
			return new RedisJobQueue(connections, keys,
					new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 1000, Duration.ofDays(30), 10_000),
					events);
		}

		@Bean
		RedisJobStore store(RedisConnections connections, LeaseKeys keys, JobEventPublisher events) {
			return new RedisJobStore(connections, keys, events);
		}

		@Bean
		RunLeases runLeases(RedisJobQueue queue, LeaseHeartbeat heartbeat, LeaseThreads threads,
				JobEventPublisher events) {
			return new RunLeases(new QueueRunRenewer(queue), heartbeat, threads, events, System::nanoTime,
					queue::close);
		}

		@Bean
		WorkerLifecycle workers(JobQueue queue, RunLeases leases, UniqueJobCatalog catalog, LeaseThreads threads,
				JobKeys keys, ApplicationContext context) {
			GroupSettings group = new GroupSettings("test", List.of(new WeightedQueue("q", 1)), QueueOrder.STRICT, 8,
					WorkerThreads.PLATFORM, 2, Duration.ofMillis(100), Duration.ofSeconds(1));
			WorkerSettings settings = new WorkerSettings("test", "host/1/test", List.of(group), Map.of(),
					Duration.ofMillis(500), true, Duration.ofSeconds(10),
					new RetrySettings(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2));
			return new WorkerLifecycle(settings, queue,
					new RunParts(leases, keys, new UniqueJobHandlers(catalog, new ArgumentCodec(), context),
							JobObservers.none(), System::nanoTime),
					List.of(new IdleQueueFilter()), threads.watch());
		}

	}

	static class FreshJobs {

		private final AtomicInteger runs = new AtomicInteger();

		AtomicInteger runs() {
			return this.runs;
		}

		@UniqueJob
		public void run(int key) {
			this.runs.incrementAndGet();
		}

	}

	static class Jobs {

		private final Map<Integer, Boolean> running = new ConcurrentHashMap<>();

		private final AtomicInteger overlaps = new AtomicInteger();

		private final AtomicInteger runs = new AtomicInteger();

		private final CountDownLatch started = new CountDownLatch(1);

		private final List<Long> fences = new CopyOnWriteArrayList<>();

		private final List<LeaseLossCause> causes = new CopyOnWriteArrayList<>();

		AtomicInteger overlaps() {
			return this.overlaps;
		}

		AtomicInteger runs() {
			return this.runs;
		}

		CountDownLatch started() {
			return this.started;
		}

		List<Long> fences() {
			return this.fences;
		}

		List<LeaseLossCause> causes() {
			return this.causes;
		}

		@UniqueJob
		public void count(int key) throws InterruptedException {
			if (this.running.putIfAbsent(key, true) != null) {
				this.overlaps.incrementAndGet();
			}
			this.fences.add(JobContext.required("jobs.count").fencingToken());
			Thread.sleep(2);
			this.runs.incrementAndGet();
			this.running.remove(key);
		}

		@UniqueJob
		public void hang(int key) throws InterruptedException {
			if (this.runs.incrementAndGet() > 1) {
				return;
			}
			JobContext context = JobContext.required("jobs.hang");
			this.started.countDown();
			try {
				Thread.sleep(30_000);
			}
			finally {
				LeaseLossCause cause = context.lossCause();
				if (cause != null) {
					this.causes.add(cause);
				}
			}
		}

		@UniqueJob
		public void untilCancelled(int key) {
			JobContext context = JobContext.required("jobs.untilCancelled");
			this.started.countDown();
			await().atMost(Duration.ofSeconds(20)).until(context::isCancelled);
		}

	}

}
