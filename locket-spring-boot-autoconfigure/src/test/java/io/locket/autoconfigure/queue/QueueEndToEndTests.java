package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.QueuedRun;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.testing.CommandCounter;
import io.locket.testing.LazyInitialization;
import io.locket.testing.RedisServer;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.reservation.QueueReservationFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application that enqueues and runs jobs, with all settings in properties
 * and all beans injected by type.
 */
class QueueEndToEndTests {

	private final ApplicationContextRunner producer = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
		.withBean("billing", Billing.class);

	private final ApplicationContextRunner worker = this.producer
		.withPropertyValues("locket.worker.queues=invoices,default");

	@Test
	void jobThatIsEnqueuedByNameRunsInItsContext() {
		this.worker.run((context) -> {
			Log log = context.getBean(Billing.class).log();
			EnqueueResult result = context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			assertThat(result).isInstanceOf(EnqueueResult.Accepted.class);
			await().until(() -> log.events.stream().anyMatch(JobEnded.class::isInstance));
			assertThat(log.bills).containsExactly("42 2026-05");
			QueuedRun run = log.runs.get(0);
			assertThat(run.id()).isEqualTo(((EnqueueResult.Accepted) result).id());
			assertThat(run.job()).isEqualTo("billing.bill");
			assertThat(run.queue()).isEqualTo("invoices");
			assertThat(run.attempt()).isOne();
			assertThat(run.startedAt()).isAfterOrEqualTo(run.enqueuedAt());
			// The producer may be notified after the worker.
			await().until(() -> log.events.size() == 3);
			assertThat(log.events).extracting(Object::getClass)
				.containsExactlyInAnyOrder(JobEnqueued.class, JobStarted.class, JobEnded.class);
			assertThat(context.getBean(JobStore.class).verify()).isEmpty();
		});
	}

	@Test
	void workersStartAlsoIfBeansAreLazy() {
		this.worker.withInitializer(new LazyInitialization()).run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
			await().until(() -> context.getBean(Billing.class).log().bills.contains("42 2026-05"));
		});
	}

	/**
	 * Checks a static list of a master and its replicas, for which Lettuce has no
	 * Pub/Sub. Workers poll there.
	 */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void jobRunsOnAStaticListOfServers(CapturedOutput output) {
		RedisServer server = RedisServer.shared();
		this.worker
			.withPropertyValues("spring.data.redis.masterreplica.nodes=" + server.host() + ":" + server.port(),
					"spring.data.redis.port=1", "spring.data.redis.timeout=1s")
			.run((context) -> {
				Log log = context.getBean(Billing.class).log();
				context.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05");
				await().until(() -> log.bills.contains("42 2026-05"));
				context.getBean(Jobs.class).enqueue("billing.bill", 43, "2026-05");
				await().until(() -> log.bills.contains("43 2026-05"));
			});
		assertThat(output).contains("has no Pub/Sub").doesNotContain("Cannot subscribe");
	}

	@Test
	void applicationWithoutQueuesToServeOnlyEnqueues() {
		this.producer.run((context) -> {
			assertThat(context).hasSingleBean(Jobs.class).doesNotHaveBean(WorkerLifecycle.class);
			EnqueueResult first = context.getBean(Jobs.class).enqueue("billing.bill", 1, "x");
			EnqueueResult second = context.getBean(Jobs.class).enqueue("billing.bill", 1, "x");
			assertThat(second)
				.isEqualTo(new EnqueueResult.Duplicate(((EnqueueResult.Accepted) first).id(), JobState.READY));
		});
	}

	@Test
	void workerIsSwitchedOff() {
		this.worker.withPropertyValues("locket.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(Jobs.class).doesNotHaveBean(WorkerLifecycle.class));
	}

	@Test
	void refusedDirectCallThatParksIsEnqueuedAndRunsLater() {
		this.worker.run((context) -> {
			Billing billing = context.getBean(Billing.class);
			Log log = billing.log();
			ExecutorService executor = Executors.newSingleThreadExecutor();
			try {
				Future<?> holder = executor.submit(() -> {
					billing.close(7);
					return null;
				});
				assertThat(log.started.await(10, TimeUnit.SECONDS)).isTrue();
				billing.close(7);
				await().until(() -> context.getBean(JobStore.class).counts("default").in(JobState.PARKED) == 1);
				assertThat(log.closed).isEmpty();
				log.gate.countDown();
				holder.get(10, TimeUnit.SECONDS);
				await().until(() -> log.closed.size() == 2);
			}
			finally {
				executor.shutdownNow();
			}
		});
	}

	@Test
	void filterOfTheUserKeepsAWorkerFromAQueue() {
		this.worker.withBean("nightOnly", NightOnly.class).run((context) -> {
			Log log = context.getBean(Billing.class).log();
			NightOnly filter = context.getBean(NightOnly.class);
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue("billing.bill", 1, "by day");
			jobs.enqueue(EnqueueOptions.now().queue("default"), "billing.bill", 2, "elsewhere");
			await().until(() -> log.bills.contains("2 elsewhere"));
			assertThat(log.bills).doesNotContain("1 by day");
			filter.night = true;
			await().until(() -> log.bills.contains("1 by day"));
		});
	}

	@Test
	void idleWorkerPollsSeldomAndStartsByTheMessage() {
		this.worker.withPropertyValues("locket.worker.poll-interval=10s").run((context) -> {
			Log log = context.getBean(Billing.class).log();
			Jobs jobs = context.getBean(Jobs.class);
			jobs.enqueue("billing.bill", 1, "first");
			await().until(() -> log.bills.size() == 1);
			jobs.enqueue("billing.bill", 2, "second");
			await().atMost(Duration.ofSeconds(2)).until(() -> log.bills.size() == 2);
		});
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			String namespace = RedisServer.newNamespace();
			this.worker.withPropertyValues("locket.namespace=" + namespace).run((context) -> {
				await().until(() -> !counter.commandsMentioning(namespace).isEmpty());
				counter.reset();
				Thread.sleep(4000);
				assertThat(counter.commandsMentioning(namespace).stream().filter((name) -> name.startsWith("EVAL")))
					.as("calls of an idle worker in 4 seconds")
					.hasSizeLessThanOrEqualTo(8);
			});
		}
	}

	@Test
	void jobOfAnotherVersionGoesBackWithoutAnAttempt() {
		this.worker.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			JobStore store = context.getBean(JobStore.class);
			queue.enqueue(NewJob.builder("unknown-1", "no.such.job", "default").build());
			await().until(() -> store.find("unknown-1").map(JobRecord::state).orElseThrow() == JobState.RETRY);
			assertThat(store.find("unknown-1").orElseThrow().attempt()).isZero();
		});
	}

	/**
	 * The records of the jobs, in a separate bean because a proxy does not share the
	 * fields of its target.
	 */
	static class Log {

		final List<String> bills = new CopyOnWriteArrayList<>();

		final List<String> closed = new CopyOnWriteArrayList<>();

		final List<QueuedRun> runs = new CopyOnWriteArrayList<>();

		final List<QueueEvent> events = new CopyOnWriteArrayList<>();

		final CountDownLatch started = new CountDownLatch(1);

		final CountDownLatch gate = new CountDownLatch(1);

	}

	static class Billing {

		private final Log log = new Log();

		public Log log() {
			return this.log;
		}

		@UniqueJob(queue = "invoices", lock = LockStrategy.UNTIL_EXECUTED)
		public void bill(long customer, String period) {
			this.log.runs.add(JobContext.required("billing.bill").queuedRun().orElseThrow());
			this.log.bills.add(customer + " " + period);
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public void close(int year) throws InterruptedException {
			this.log.started.countDown();
			assertThat(this.log.gate.await(20, TimeUnit.SECONDS)).isTrue();
			this.log.closed.add("closed " + year);
		}

		@EventListener
		void on(QueueEvent event) {
			this.log.events.add(event);
		}

	}

	static class NightOnly implements QueueReservationFilter {

		volatile boolean night;

		@Override
		public List<String> filter(List<String> queues) {
			return this.night ? queues : queues.stream().filter((queue) -> !queue.equals("invoices")).toList();
		}

	}

}
