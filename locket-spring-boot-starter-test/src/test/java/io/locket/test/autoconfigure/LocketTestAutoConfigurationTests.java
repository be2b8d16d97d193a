package io.locket.test.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.autoconfigure.health.LocketHealthAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.Jobs;
import io.locket.lease.LeaseService;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.queue.redis.RedisJobQueue;
import io.locket.queue.spi.JobQueue;
import io.locket.test.LocketTester;
import io.locket.test.RecordingJobQueue;
import io.locket.test.TestClock;
import io.locket.test.service.Billing;
import io.locket.worker.WorkerLifecycle;
import io.locket.worker.consumer.ConsumedJob;
import io.locket.worker.consumer.JobConsumer;
import io.locket.worker.consumer.JobConsumers;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketTestAutoConfiguration}.
 */
class LocketTestAutoConfigurationTests {

	private static final AutoConfigurations LOCKET = AutoConfigurations.of(AopAutoConfiguration.class,
			DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
			QueueAutoConfiguration.class, WorkerAutoConfiguration.class, JobConsumerAutoConfiguration.class,
			LocketHealthAutoConfiguration.class);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(LOCKET)
		.withConfiguration(AutoConfigurations.of(LocketTestAutoConfiguration.class))
		.withBean(Billing.class)
		.withPropertyValues("locket.namespace=test", "locket.worker.queues=invoices");

	@Test
	void nothingConnectsToRedis() throws IOException {
		try (ServerSocketChannel redis = ServerSocketChannel.open()) {
			redis.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			redis.configureBlocking(false);
			int port = ((InetSocketAddress) redis.getLocalAddress()).getPort();
			this.contextRunner
				.withPropertyValues("spring.data.redis.host=" + InetAddress.getLoopbackAddress().getHostAddress(),
						"spring.data.redis.port=" + port)
				.run((context) -> {
					assertThat(context).hasSingleBean(RedisConnectionFactory.class);
					context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
					assertThat(context.getBean(LocketTester.class).drain()).hasRun("billing.bill");
					context.getBean(Billing.class).export("2026-05");
					assertThat(context.getBean(Billing.class).done()).hasSize(2);
				});
			assertThat(redis.accept()).isNull();
		}
	}

	@Test
	void queueAndLeasesAreInMemoryAndNoWorkerRuns() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(JobQueue.class)
				.getBean(JobQueue.class)
				.isInstanceOf(RecordingJobQueue.class);
			assertThat(context).hasSingleBean(LeaseService.class);
			assertThat(context).doesNotHaveBean(RedisJobQueue.class).doesNotHaveBean(WorkerLifecycle.class);
			assertThat(context).doesNotHaveBean("locketHealthContributor").hasSingleBean(LockRegistry.class);
		});
	}

	@Test
	void serviceWithoutServedQueuesCanBeDriven() {
		this.contextRunner.withPropertyValues("locket.worker.queues=").run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
			assertThat(context.getBean(LocketTester.class).drain()).hasRun("billing.bill");
		});
	}

	@Test
	void modeIsAPropertyToo() {
		this.contextRunner.withPropertyValues("spring.test.locket.mode=inline").run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
			assertThat(context.getBean(Billing.class).done()).hasSize(1);
		});
	}

	@Test
	void clockIsABeanUnlessTheServiceHasOne() {
		this.contextRunner.run((context) -> assertThat(context).getBean(Clock.class).isInstanceOf(TestClock.class));
		this.contextRunner.withBean(Clock.class, Clock::systemUTC).run((context) -> {
			assertThat(context).hasSingleBean(Clock.class);
			assertThat(context.getBean(LocketTester.class).clock()).isNotSameAs(context.getBean(Clock.class));
		});
	}

	@Test
	void lockRegistryOfTheServiceIsKept() {
		this.contextRunner.withBean("own", LockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class).hasBean("own"));
	}

	@Test
	void consumersOfTheServiceTakeItsJobs() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
			try (JobConsumer consumer = context.getBean(JobConsumers.class).open("own", "invoices")) {
				assertThat(consumer.poll()).hasValueSatisfying(ConsumedJob::succeed);
			}
			assertThat(context.getBean(LocketTester.class).drain()).hasRunNothing();
		});
	}

	@Test
	void threadsEndWithTheContext() {
		AtomicReference<LeaseThreads> threads = new AtomicReference<>();
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
			assertThat(context.getBean(LocketTester.class).drain()).hasRun("billing.bill");
			threads.set(context.getBean(LeaseThreads.class));
			assertThat(threads.get().heartbeat().isShutdown()).isFalse();
		});
		assertThat(threads.get().heartbeat().isShutdown()).isTrue();
	}

	@Test
	void contextRunnerNeedsNothingButAnAnnotatedConfiguration() {
		new ApplicationContextRunner().withUserConfiguration(BillingConfiguration.class)
			.withPropertyValues("locket.namespace=test")
			.run((context) -> {
				context.getBean(Jobs.class).enqueue("billing.bill", 1, "2026-05", "");
				assertThat(context.getBean(LocketTester.class).drain()).hasRun("billing.bill");
				context.getBean(Billing.class).export("2026-05");
				assertThat(context.getBean(Billing.class).done()).hasSize(2);
			});
	}

	@Test
	void nothingIsThereWhenLocketIsDisabled() {
		new ApplicationContextRunner().withConfiguration(LOCKET)
			.withConfiguration(AutoConfigurations.of(LocketTestAutoConfiguration.class))
			.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketTester.class));
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureLocketTest
	@Import(Billing.class)
	static class BillingConfiguration {

	}

}
