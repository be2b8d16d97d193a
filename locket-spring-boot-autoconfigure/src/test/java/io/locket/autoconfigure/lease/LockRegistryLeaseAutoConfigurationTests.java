package io.locket.autoconfigure.lease;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.locket.UniqueJob;
import io.locket.autoconfigure.LocketDisabledAutoConfiguration;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.lease.registry.LockRegistryLeaseService;
import io.locket.redis.RedisConnections;
import io.locket.testing.LogLines;
import io.locket.testing.ReadyEvents;
import io.locket.testing.RedisServer;
import io.locket.worker.WorkerLifecycle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockRegistryLeaseAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockRegistryLeaseAutoConfigurationTests {

	/**
	 * The thread that checks Redis and the registry.
	 */
	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
				LockRegistryLeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
				LocketDisabledAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("spring.application.name=" + this.namespace);

	@Test
	void lockRegistryStoreUsesTheRegistryOfTheApplication(CapturedOutput output) {
		this.runner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("registry", LockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				assertThat(leases).isInstanceOf(LockRegistryLeaseService.class);
				leases.tryAcquire("nightly").orElseThrow().close();
				ReadyEvents.publish(context);
				await().until(() -> output.getOut().contains("Leases are locks of"));
				assertThat(LogLines.warnings(output, RedisNotice.THREAD)).singleElement()
					.asString()
					.contains("locket.lease.registry-key",
							"exclude neither queued runs nor the locks of other services");
			});
	}

	@Test
	void twoRegistriesStopTheStart() {
		this.runner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("first", LockRegistry.class, DefaultLockRegistry::new)
			.withBean("second", LockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessageContaining("locket.lease.store=lock-registry")
				.hasMessageContaining("none of [first, second] is the primary one")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void primaryRegistryIsUsed() {
		LockRegistry<Lock> primary = new DefaultLockRegistry();
		this.runner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("other", LockRegistry.class, DefaultLockRegistry::new)
			.withBean("primary", LockRegistry.class, () -> primary, (bean) -> bean.setPrimary(true))
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				try (Lease lease = leases.tryAcquire("nightly").orElseThrow()) {
					Lock lock = primary.obtain(lease.key().digest());
					assertThat(CompletableFuture.supplyAsync(lock::tryLock).join()).isFalse();
				}
			});
	}

	@Test
	@Timeout(20)
	void startDoesNotWaitForARegistryThatHangs(CapturedOutput output) throws Exception {
		CountDownLatch reply = new CountDownLatch(1);
		Lock lock = mock(Lock.class);
		given(lock.tryLock()).willAnswer((call) -> {
			reply.await();
			throw new IllegalStateException("timed out");
		});
		LockRegistry<Lock> hanging = (key) -> lock;
		this.runner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean("registry", LockRegistry.class, () -> hanging)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				ReadyEvents.publish(context);
				reply.countDown();
				await().until(() -> output.getOut().contains("Could not determine where"));
			});
	}

	@Test
	void lockRegistryStoreWorksOnADatabaseWithoutRedis(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class,
					LockRegistryLeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce",
					"org.springframework.integration.redis"))
			.withUserConfiguration(DatabaseLocks.class)
			.withPropertyValues("locket.lease.store=lock-registry", "locket.namespace=" + this.namespace)
			.withBean("nightly", Nightly.class)
			.run((context) -> {
				assertThat(context.getBean(Nightly.class).run()).contains("ran");
				Lock lock = context.getBean(JdbcLockRegistry.class)
					.obtain(context.getBean(UniqueJobs.class).keyOf("nightly.run").digest());
				Thread other = new Thread(lock::lock);
				other.start();
				other.join();
				assertThat(context.getBean(Nightly.class).run()).isEmpty();
				assertThat(output).contains("Leases are locks of JdbcLockRegistry");
			});
	}

	@Test
	void lockRegistryStoreUsesLocketsRegistryIfThereIsNoOther() {
		this.runner.withPropertyValues("locket.lease.store=lock-registry").run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			assertThat(leases).isInstanceOf(LockRegistryLeaseService.class);
			Optional<Lease> lease = leases.tryAcquire("nightly");
			assertThat(lease).isPresent();
			assertThat(leases.find(leases.keyOf("nightly"))).isPresent();
			lease.get().close();
		});
	}

	@Test
	void leaseOfLocketsRegistryIsReleasedAfterTheContextWasClosed(CapturedOutput output) {
		AtomicReference<Lease> held = new AtomicReference<>();
		AtomicReference<RedisConnections> connections = new AtomicReference<>();
		this.runner.withPropertyValues("locket.lease.store=lock-registry").run((context) -> {
			held.set(context.getBean(LeaseService.class).tryAcquire("nightly").orElseThrow());
			connections.set(context.getBean(RedisConnections.class));
		});
		LettuceConnectionFactory factory = (LettuceConnectionFactory) connections.get().shared();
		assertThat(factory.isRunning()).isTrue();
		held.get().close();
		assertThat(held.get().lossCause()).isNull();
		assertThat(output).doesNotContain("could not unlock");
		await().until(() -> !factory.isRunning());
	}

	@Test
	void workerWarnsOfNothingWhenTheRegistryIsLocketsOwn(CapturedOutput output) {
		this.runner
			.withConfiguration(AutoConfigurations.of(QueueAutoConfiguration.class, WorkerAutoConfiguration.class))
			.withPropertyValues("locket.lease.store=lock-registry", "locket.worker.queues=default")
			.run((context) -> {
				assertThat(context).hasSingleBean(WorkerLifecycle.class);
				ReadyEvents.publish(context);
				await().until(() -> output.getOut().contains("in Locket's own lock space"));
				assertThat(LogLines.warnings(output)).noneMatch((line) -> line.contains("io.locket."));
				assertThat(LogLines.warnings(output, RedisNotice.THREAD))
					.noneMatch((line) -> line.contains("io.locket."));
			});
	}

	/**
	 * A job with a visible refusal.
	 */
	public static class Nightly {

		@UniqueJob
		public Optional<String> run() {
			return Optional.of("ran");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DatabaseLocks {

		@Bean(destroyMethod = "shutdown")
		EmbeddedDatabase dataSource() {
			return new EmbeddedDatabaseBuilder().generateUniqueName(true)
				.setType(EmbeddedDatabaseType.H2)
				.addScript("classpath:org/springframework/integration/jdbc/schema-h2.sql")
				.build();
		}

		@Bean
		DataSourceTransactionManager transactionManager(EmbeddedDatabase dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		DefaultLockRepository lockRepository(EmbeddedDatabase dataSource) {
			return new DefaultLockRepository(dataSource);
		}

		@Bean
		JdbcLockRegistry lockRegistry(DefaultLockRepository repository) {
			return new JdbcLockRegistry(repository);
		}

	}

}
