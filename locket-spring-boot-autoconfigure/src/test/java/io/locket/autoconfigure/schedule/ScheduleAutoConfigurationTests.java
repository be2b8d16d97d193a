package io.locket.autoconfigure.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEventListener;
import io.locket.event.LeadershipEvent;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.event.QueueEvent;
import io.locket.event.ScheduleEvent;
import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.job.EnqueueGuard;
import io.locket.job.JobRequest;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.LazyInitialization;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ScheduleAutoConfiguration}.
 */
class ScheduleAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
				ConfiguredScheduleAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace());

	@Test
	void schedulesAreKeptWhereTheQueueIs() {
		this.runner.withBean(Reports.class).run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			schedules.put(ScheduleRequest.every("often", Duration.ofHours(1), JobRequest.of("report", 42)));
			this.runner
				.run((other) -> assertThat(other.getBean(Schedules.class).list()).extracting(ScheduleStatus::name)
					.containsExactly("often"));
			EnqueueResult.Accepted job = (EnqueueResult.Accepted) schedules.triggerNow("often");
			assertThat(context.getBean(JobStore.class).find(job.id())).get()
				.satisfies((found) -> assertThat(found.arguments()).isEqualTo("[42]"));
		});
	}

	@Test
	void leaderFiresPutAndConfiguredSchedulesAndNotifiesTheApplication() {
		Firings firings = new Firings();
		this.runner.withBean(Reports.class)
			.withBean(Firings.class, () -> firings)
			.withPropertyValues("locket.schedules.configured.job=report", "locket.schedules.configured.args=1",
					"locket.schedules.configured.cron=* * * * * *")
			.withInitializer(new LazyInitialization())
			.run((context) -> {
				context.getBean(Schedules.class)
					.put(ScheduleRequest.every("put", Duration.ofSeconds(1), JobRequest.of("report", 42)));
				await().until(() -> firings.of("put").size() >= 2 && firings.of("configured").size() >= 2);
				assertThat(firings.all).allSatisfy((fired) -> {
					assertThat(fired.late()).isGreaterThanOrEqualTo(Duration.ZERO);
					assertThat(fired.id()).isEqualTo(fired.schedule() + "." + fired.time().toEpochMilli());
					assertThat(context.getBean(JobStore.class).find(fired.id())).isPresent();
				});
			});
	}

	@Test
	void processWithoutSchedulesLeadsOnceOneIsPutHereOrElsewhere() {
		ApplicationContextRunner process = this.runner.withBean(Reports.class)
			.withPropertyValues("locket.redis.command-timeout=300ms", "locket.leader.ttl=1s");
		process.run((here) -> {
			LeaderElection election = here.getBean(LeaderElection.class);
			Leadership leadership = here.getBean(Leadership.class);
			process.run((elsewhere) -> {
				assertThat(election.isIdle()).isTrue();
				assertThat(leadership.leader()).isEmpty();
				elsewhere.getBean(Schedules.class)
					.put(ScheduleRequest.every("put", Duration.ofSeconds(1), JobRequest.of("report", 42)));
				await().until(elsewhere.getBean(Leadership.class)::isLeader);
				await().until(() -> !election.isIdle());
			});
			Instant left = Instant.now();
			await().until(leadership::isLeader);
			Schedules schedules = here.getBean(Schedules.class);
			await().until(() -> schedules.get("put")
				.map(ScheduleStatus::lastFired)
				.filter((fired) -> fired.isAfter(left))
				.isPresent());
		});
	}

	@Test
	void firingThatAGuardRefusesFailsAndFiresLater() {
		AtomicBoolean closed = new AtomicBoolean(true);
		List<ScheduleFailed> failures = new CopyOnWriteArrayList<>();
		JobEventListener listener = (event) -> {
			if (event instanceof ScheduleFailed failed) {
				failures.add(failed);
			}
		};
		this.runner.withBean(Reports.class)
			.withBean(JobEventListener.class, () -> listener)
			.withBean(EnqueueGuard.class, () -> (job) -> Optional.of("closed").filter((reason) -> closed.get()))
			.run((context) -> {
				Schedules schedules = context.getBean(Schedules.class);
				schedules.put(ScheduleRequest.every("put", Duration.ofSeconds(1), JobRequest.of("report", 42)));
				await().until(() -> !failures.isEmpty());
				assertThat(failures.get(0).error()).contains("a guard refused it: closed");
				assertThat(schedules.triggerNow("put")).isEqualTo(new EnqueueResult.Refused("closed"));
				assertThat(schedules.get("put").orElseThrow().lastFired()).isNull();
				closed.set(false);
				await().until(() -> schedules.get("put").map(ScheduleStatus::lastFired).isPresent());
			});
	}

	@Test
	void listenerThatBlocksHoldsUpNoSchedule() {
		CountDownLatch end = new CountDownLatch(1);
		Map<Class<?>, String> threads = new ConcurrentHashMap<>();
		JobEventListener listener = (event) -> {
			if (event instanceof LeadershipEvent || event instanceof QueueEvent || event instanceof ScheduleEvent) {
				threads.put(event.getClass(), Thread.currentThread().getName());
			}
			if (event instanceof JobEnqueued) {
				try {
					end.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		};
		this.runner.withBean(Reports.class)
			.withBean(JobEventListener.class, () -> listener)
			.withPropertyValues("locket.schedules.often.job=report", "locket.schedules.often.args=1",
					"locket.schedules.often.every=1s")
			.withInitializer(new LazyInitialization())
			.run((context) -> {
				Schedules schedules = context.getBean(Schedules.class);
				await().until(() -> schedules.get("often").map(ScheduleStatus::lastFired).isPresent());
				Instant first = schedules.get("often").orElseThrow().lastFired();
				await().until(() -> schedules.get("often").orElseThrow().lastFired().isAfter(first));
				assertThat(threads).containsOnlyKeys(LeadershipGained.class, JobEnqueued.class);
				end.countDown();
				await().until(() -> threads.containsKey(ScheduleFired.class));
			});
		assertThat(threads).containsKey(LeadershipLost.class);
		assertThat(threads.values()).containsOnly("locket-leader-events");
	}

	@Test
	void queueOfTheApplicationsOwnHasNoSchedules() {
		this.runner.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ScheduleStore.class)
				.doesNotHaveBean(Schedules.class));
	}

	@Test
	void withoutAQueueThereAreNoSchedules() {
		this.runner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Schedules.class));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class, LeaderAutoConfiguration.class,
					ScheduleAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Schedules.class));
	}

	static class Firings {

		private final List<ScheduleFired> all = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ScheduleFired fired) {
			this.all.add(fired);
		}

		List<ScheduleFired> of(String schedule) {
			return this.all.stream().filter((fired) -> fired.schedule().equals(schedule)).toList();
		}

	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write(int number) {
			throw new IllegalStateException("Report without a worker " + number);
		}

	}

}
