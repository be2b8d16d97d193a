package io.locket.autoconfigure.queue;

import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Deferred;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.KeyBlocker;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for producers on a queue in Redis.
 */
class ProducerEndToEndTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(),
				"locket.queues.unique.lock=until-executing");

	@Test
	void workerWithTheBeanRunsWhatAProducerWithTheInterfaceEnqueues() {
		BlockingQueue<String> bills = new LinkedBlockingQueue<>();
		this.contextRunner.run((producer) -> {
			assertThat(producer).doesNotHaveBean(Billing.class);
			Jobs jobs = producer.getBean(Jobs.class);
			EnqueueResult first = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, YearMonth.of(2026, 5)));
			assertThat(first).isInstanceOf(Accepted.class);
			this.contextRunner.withBean("anyName", BillingService.class, () -> new BillingService(bills))
				.run((other) -> {
					assertThat(other.getBean(Jobs.class).enqueue("billing.bill", 42, "2026-05"))
						.isEqualTo(new Duplicate(((Accepted) first).id(), JobState.READY));
					assertThat(other.getBean(UniqueJobs.class)
						.blocker(BillingService.class, (billing) -> billing.bill(42, YearMonth.of(2026, 5))))
						.hasValueSatisfying((blocker) -> assertThat(blocker.id()).isEqualTo(((Accepted) first).id()));
				});
			this.contextRunner.withPropertyValues("locket.worker.queues=invoices")
				.withBean("anyName", BillingService.class, () -> new BillingService(bills))
				.run((worker) -> {
					assertThat(bills.poll(20, TimeUnit.SECONDS)).isEqualTo("42 2026-05");
					assertThat(jobs.enqueue(Billing.class, (billing) -> billing.bill(43, YearMonth.of(2026, 6))))
						.isInstanceOf(Accepted.class);
					assertThat(bills.poll(20, TimeUnit.SECONDS)).isEqualTo("43 2026-06");
				});
		});
	}

	@Test
	void producerEnqueuesManyAfterACommitAndByThePolicyOfTheQueue() {
		this.contextRunner.withBean("work", Work.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			JobStore store = context.getBean(JobStore.class);
			List<JobRequest> requests = IntStream.range(0, 250)
				.mapToObj((i) -> JobRequest.of(Work.class, (work) -> work.plain(i % 200))
					.with(EnqueueOptions.now().queue("unique")))
				.toList();
			List<EnqueueResult> results = jobs.enqueueAll(requests);
			assertThat(results.subList(0, 200)).hasOnlyElementsOfType(Accepted.class);
			assertThat(results.subList(200, 250)).hasOnlyElementsOfType(Duplicate.class);
			UniqueJobs unique = context.getBean(UniqueJobs.class);
			assertThat(unique.inQueue("unique").blocker(Work.class, (work) -> work.plain(199)))
				.map(KeyBlocker::position)
				.contains(199L);
			assertThat(unique.isAvailable("work.plain", 199)).isFalse();
			assertThat(unique.isAvailable("work.plain", 200)).isTrue();
			Deferred deferred = new TransactionTemplate(
					new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:producer")))
				.execute((status) -> {
					Deferred reply = (Deferred) jobs.enqueue(Work.class, (work) -> work.plain(1000));
					assertThat(store.find(reply.id())).isEmpty();
					return reply;
				});
			assertThat(store.find(deferred.id())).isPresent();
			assertThat(deferred.result().toCompletableFuture()).isCompletedWithValue(new Accepted(deferred.id()));
			assertThat(store.verify()).isEmpty();
		});
	}

	@Test
	void jobsOfACommittedTransactionAreEnqueuedAlsoIfTheirThreadIsInterrupted() {
		this.contextRunner.withBean("work", Work.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Deferred deferred = new TransactionTemplate(
					new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:producer")))
				.execute((status) -> {
					Deferred reply = (Deferred) jobs.enqueue(Work.class, (work) -> work.plain(2000));
					Thread.currentThread().interrupt();
					return reply;
				});
			assertThat(Thread.interrupted()).isTrue();
			assertThat(deferred.result().toCompletableFuture()).isCompletedWithValue(new Accepted(deferred.id()));
			assertThat(context.getBean(JobStore.class).find(deferred.id())).isPresent();
		});
	}

	interface Billing {

		@UniqueJob(name = "billing.bill", key = "{#customer, #period}", queue = "invoices",
				lock = LockStrategy.UNTIL_EXECUTED)
		void bill(long customer, YearMonth period);

	}

	static class BillingService implements Billing {

		private final BlockingQueue<String> bills;

		BillingService(BlockingQueue<String> bills) {
			this.bills = bills;
		}

		@Override
		public void bill(long number, YearMonth month) {
			this.bills.add(number + " " + month);
		}

	}

	static class Work {

		@UniqueJob
		public void plain(int id) {
		}

	}

}
