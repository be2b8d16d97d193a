package io.locket.worker.consumer;

import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.lease.LeaseService;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.TestJob;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.testing.ChildJvm;
import io.locket.testing.RedisServer;
import io.locket.worker.ConsumerProcess;
import io.locket.worker.WorkerLifecycle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobConsumers} on the queue in Redis, without any worker of Locket.
 */
class RedisJobConsumerTests {

	private static final Duration WAIT = Duration.ofSeconds(20);

	private static final RedisServer SERVER = RedisServer.start();

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				JobConsumerAutoConfiguration.class, WorkerAutoConfiguration.class))
		.withPropertyValues(SERVER.properties())
		.withPropertyValues("locket.namespace=" + this.namespace, "locket.lease.duration=1s",
				"locket.lease.heartbeat=200ms", "locket.redis.command-timeout=300ms")
		.withBean("billing", Billing.class);

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void jobIsTakenRunInsideItsLeaseAndEndedWithoutAWorkerOfLockets() {
		this.contextRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(WorkerLifecycle.class);
			Billing billing = context.getBean(Billing.class);
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			ConsumedJob job = open(context).poll(WAIT).orElseThrow();
			assertThat(job.arguments()).containsExactly(42L, YearMonth.of(2026, 5));
			job.call(() -> {
				billing.bill((long) job.arguments()[0], (YearMonth) job.arguments()[1]);
				return null;
			});
			assertThat(billing.log()).containsExactly("42 2026-05 " + job.fencingToken());
			assertThat(state(context, job)).isEqualTo(JobState.RUNNING);
			assertThat(job.succeed()).isTrue();
			assertThat(job.succeed()).isTrue();
			assertThat(state(context, job)).isEqualTo(JobState.SUCCEEDED);
			assertThat(context.getBean(LeaseService.class).held(10)).isEmpty();
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	@Test
	void callOfAnotherKeyIsRefusedInsideARunWhenThatKeyIsHeld() {
		this.contextRunner.run((context) -> {
			Billing billing = context.getBean(Billing.class);
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			context.getBean(Jobs.class).enqueue("billing.bill", 43, "2026-05");
			JobConsumer consumer = open(context);
			ConsumedJob job = consumer.poll(WAIT).orElseThrow();
			ConsumedJob other = consumer.poll(WAIT).orElseThrow();
			job.call(() -> {
				billing.bill(43, YearMonth.of(2026, 5));
				billing.bill(42, YearMonth.of(2026, 5));
				return null;
			});
			assertThat(billing.log()).containsExactly("42 2026-05 " + job.fencingToken());
			assertThat(job.succeed()).isTrue();
			assertThat(other.succeed()).isTrue();
		});
	}

	@Test
	void callOfARenamedJobIsThatOfItsRun() {
		this.contextRunner.run((context) -> {
			Billing billing = context.getBean(Billing.class);
			context.getBean(JobQueue.class)
				.enqueue(NewJob.builder("old", "billing.invoice", "q")
					.arguments("[42,\"2026-05\"]")
					.unique(LockStrategy.WHILE_EXECUTING,
							context.getBean(LeaseService.class).keyOf("billing.invoice", 42, "2026-05"), null)
					.leaseFor(WAIT)
					.build());
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			JobConsumer consumer = open(context);
			ConsumedJob job = consumer.poll(WAIT).orElseThrow();
			ConsumedJob renamed = consumer.poll(WAIT).orElseThrow();
			assertThat(job.record().id()).isEqualTo("old");
			job.call(() -> {
				billing.bill(43, YearMonth.of(2026, 5));
				billing.bill(42, YearMonth.of(2026, 5));
				return null;
			});
			assertThat(billing.log()).hasSize(2).last().isEqualTo("42 2026-05 " + job.fencingToken());
			assertThat(job.succeed()).isTrue();
			assertThat(renamed.succeed()).isTrue();
		});
	}

	@Test
	void callOfAJobFromAnotherQueueIsThatOfItsRun() {
		this.contextRunner.run((context) -> {
			Billing billing = context.getBean(Billing.class);
			context.getBean(Jobs.class).enqueue(EnqueueOptions.now().queue("other"), "billing.perQueue", 7);
			ConsumedJob job = context.getBean(JobConsumers.class).open("test", "other").poll(WAIT).orElseThrow();
			job.call(() -> {
				billing.perQueue(7);
				return null;
			});
			assertThat(billing.log()).containsExactly("7 " + job.fencingToken());
			assertThat(job.succeed()).isTrue();
		});
	}

	@Test
	void consumersStandBesideAWorkerThatIsSwitchedOff() {
		this.contextRunner.withPropertyValues("locket.worker.queues=q", "locket.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(JobConsumers.class)
				.doesNotHaveBean(WorkerLifecycle.class));
		this.contextRunner.withPropertyValues("locket.worker.queues=other")
			.run((context) -> assertThat(context).hasSingleBean(JobConsumers.class)
				.hasSingleBean(WorkerLifecycle.class));
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobConsumers.class));
	}

	@Test
	void endOfARunWhoseKeyWasReleasedByForceDoesNotCountAndTheJobComesBack() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			JobConsumer consumer = open(context);
			ConsumedJob job = consumer.poll(WAIT).orElseThrow();
			LeaseService leases = context.getBean(LeaseService.class);
			leases.forceRelease(leases.held(10).get(0).digest());
			await().until(job::isLost);
			assertThat(job.succeed()).isFalse();
			ConsumedJob again = consumer.poll(WAIT).orElseThrow();
			assertThat(again.record().id()).isEqualTo(job.record().id());
			assertThat(again.fencingToken()).isGreaterThan(job.fencingToken());
			assertThat(again.succeed()).isTrue();
			assertThat(job.succeed()).isFalse();
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	/**
	 * A new connection may take longer than the short timeout.
	 */
	@Test
	void jobOfALostReservationIsHandedOutByTheNextPoll() {
		this.contextRunner.run((context) -> {
			JobConsumer consumer = open(context);
			await().ignoreException(QueueUnavailableException.class).until(() -> consumer.poll().isEmpty());
			context.getBean(JobQueue.class).enqueue(TestJob.of("once").leaseFor(WAIT).build());
			SERVER.freeze();
			try {
				assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(consumer::poll);
			}
			finally {
				SERVER.resume();
			}
			await().until(() -> find(context, "once").state() == JobState.RUNNING);
			ConsumedJob job = consumer.poll(WAIT).orElseThrow();
			assertThat(job.record().id()).isEqualTo("once");
			assertThat(job.succeed()).isTrue();
			await().ignoreException(QueueUnavailableException.class)
				.until(() -> context.getBean(JobStore.class).counts("q").in(JobState.SUCCEEDED) == 1);
		});
	}

	@Test
	void endThatRedisHearsTooLateDoesNotCountAndTheJobRunsAgain() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			JobConsumer consumer = open(context);
			ConsumedJob job = consumer.poll(WAIT).orElseThrow();
			SERVER.freeze();
			try {
				await().until(job::isLost);
				assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(job::succeed);
			}
			finally {
				SERVER.resume();
			}
			await().ignoreExceptions().until(() -> !job.succeed());
			ConsumedJob again = consumer.poll(WAIT).orElseThrow();
			assertThat(again.record().id()).isEqualTo(job.record().id());
			assertThat(again.succeed()).isTrue();
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	@Test
	void jobOfAProcessThatWasKilledComesBack() {
		this.contextRunner.run((context) -> {
			context.getBean(JobQueue.class).enqueue(TestJob.of("orphan").leaseFor(Duration.ofMillis(1500)).build());
			try (ChildJvm process = ChildJvm.start(ConsumerProcess.class, SERVER.host(),
					Integer.toString(SERVER.port()), this.namespace)) {
				process.awaitLine("took orphan", Duration.ofMinutes(1));
				process.kill();
			}
			ConsumedJob job = open(context).poll(WAIT).orElseThrow();
			assertThat(job.record().id()).isEqualTo("orphan");
			assertThat(job.record().reclaims()).isOne();
			assertThat(job.record().attempt()).isZero();
			assertThat(job.succeed()).isTrue();
		});
	}

	@Test
	void contextThatIsClosedReturnsWhatWasTaken() {
		this.contextRunner.run((context) -> {
			this.contextRunner.withPropertyValues("locket.worker.shutdown-grace=0s").run((other) -> {
				other.getBean(JobQueue.class).enqueue(TestJob.of("returned").leaseFor(WAIT).build());
				assertThat(open(other).poll(WAIT)).isPresent();
			});
			assertThat(find(context, "returned").state()).isEqualTo(JobState.READY);
			assertThat(find(context, "returned").reclaims()).isZero();
		});
	}

	@Test
	void contextThatIsClosedTakesNoJobsWhileItsWorkersAndConsumersRunTheirs() {
		this.contextRunner.run((context) -> this.contextRunner
			.withPropertyValues("locket.worker.queues=q", "locket.worker.concurrency=2")
			.run((other) -> {
				JobConsumer consumer = other.getBean(JobConsumers.class).open("mine", "mine");
				other.getBean(Jobs.class).enqueue(EnqueueOptions.now().queue("mine"), "billing.perQueue", 7);
				ConsumedJob taken = consumer.poll(WAIT).orElseThrow();
				other.getBean(Jobs.class).enqueue("billing.hold");
				Billing billing = other.getBean(Billing.class);
				assertThat(billing.started().await(10, TimeUnit.SECONDS)).isTrue();
				CompletableFuture<Void> closed = CompletableFuture.runAsync(other.getSourceApplicationContext()::close);
				await().until(consumer::isClosed);
				context.getBean(JobQueue.class).enqueue(TestJob.of("late").build());
				assertThat(taken.succeed()).isTrue();
				billing.release().countDown();
				closed.get(10, TimeUnit.SECONDS);
				assertThat(find(context, "late").state()).isEqualTo(JobState.READY);
				assertThat(context.getBean(JobStore.class).counts("q").in(JobState.SUCCEEDED)).isOne();
			}));
	}

	private static JobConsumer open(ApplicationContext context) {
		return context.getBean(JobConsumers.class).open("test", "q");
	}

	private static JobState state(ApplicationContext context, ConsumedJob job) {
		return find(context, job.record().id()).state();
	}

	private static JobRecord find(ApplicationContext context, String id) {
		return context.getBean(JobStore.class).find(id).orElseThrow();
	}

	static class Billing {

		private final List<String> log = new CopyOnWriteArrayList<>();

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		public List<String> log() {
			return this.log;
		}

		@UniqueJob(queue = "q", key = "{#queue, #shard}")
		public void perQueue(int shard) {
			this.log.add(shard + " " + JobContext.required("billing.perQueue").fencingToken());
		}

		public CountDownLatch started() {
			return this.started;
		}

		public CountDownLatch release() {
			return this.release;
		}

		@UniqueJob(queue = "q")
		public void hold() throws InterruptedException {
			this.started.countDown();
			assertThat(this.release.await(20, TimeUnit.SECONDS)).isTrue();
		}

		@UniqueJob(queue = "q", aliases = "billing.invoice")
		public void bill(long customer, YearMonth period) {
			this.log.add(customer + " " + period + " " + JobContext.required("billing.bill").fencingToken());
		}

	}

}
