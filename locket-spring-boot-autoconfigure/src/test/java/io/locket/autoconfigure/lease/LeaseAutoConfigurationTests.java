package io.locket.autoconfigure.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.LocketDisabledAutoConfiguration;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.queue.spi.JobQueue;
import io.locket.redis.RedisConnections;
import io.locket.redis.ServerCheck;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaseAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaseAutoConfigurationTests {

	private final String namespace = RedisServer.newNamespace();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
				LockRegistryLeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class,
				LocketDisabledAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("spring.application.name=" + this.namespace);

	@Test
	void leasesWorkOutOfTheBox() {
		this.runner.run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			assertThat(leases).isInstanceOf(RedisLeaseService.class);
			try (Lease lease = leases.tryAcquire("nightly", "report").orElseThrow()) {
				assertThat(leases.tryAcquire("nightly", "report")).isEmpty();
				assertThat(
						RedisServer.shared().execute("GET", "{" + this.namespace + "}:lease:" + lease.key().digest()))
					.isNotNull();
			}
		});
	}

	@Test
	void twoContextsExcludeOneAnother() {
		this.runner.run((one) -> this.runner.run((two) -> {
			Lease lease = one.getBean(LeaseService.class).tryAcquire("nightly", "report").orElseThrow();
			assertThat(two.getBean(LeaseService.class).tryAcquire("nightly", "report")).isEmpty();
			lease.close();
			assertThat(two.getBean(LeaseService.class).tryAcquire("nightly", "report"))
				.hasValueSatisfying(Lease::close);
		}));
	}

	@Test
	void lockRegistryOfTheApplicationIsInTheLockSpaceOfTheLeases() {
		this.runner.run((context) -> {
			LeaseService leases = context.getBean(LeaseService.class);
			Lock lock = context.getBean(RedisLockRegistry.class).obtain(leases.keyOf("nightly").digest());
			assertThat(lock.tryLock()).isTrue();
			assertThat(leases.tryAcquire("nightly")).isEmpty();
			lock.unlock();
			assertThat(leases.tryAcquire("nightly")).hasValueSatisfying(Lease::close);
		});
	}

	@Test
	void registryKeyIsTheOneOfOtherServices() {
		String registryKey = RedisServer.newNamespace();
		this.runner.withPropertyValues("locket.lease.registry-key=" + registryKey).run((context) -> {
			Lease lease = context.getBean(LeaseService.class).tryAcquire("nightly").orElseThrow();
			assertThat(RedisServer.shared().execute("GET", registryKey + ":" + lease.key().digest())).isNotNull();
			lease.close();
		});
	}

	@Test
	void lockRegistryIsCreatedWhenItIsNeeded() {
		this.runner.run((context) -> {
			SingletonBeanRegistry singletons = context.getSourceApplicationContext().getBeanFactory();
			assertThat(singletons.containsSingleton("locketLockRegistry")).isFalse();
			assertThat(context.getBean(RedisLockRegistry.class)).isNotNull();
			assertThat(singletons.containsSingleton("locketLockRegistry")).isTrue();
		});
	}

	@Test
	void backsOffFromBeansOfTheApplication() {
		LeaseService own = mock(LeaseService.class);
		LockRegistry<?> registry = new DefaultLockRegistry();
		this.runner.withBean(LeaseService.class, () -> own)
			.withBean("registry", LockRegistry.class, () -> registry)
			.run((context) -> {
				assertThat(context.getBean(LeaseService.class)).isSameAs(own);
				assertThat(context.getBean(LockRegistry.class)).isSameAs(registry);
			});
	}

	@Test
	void leasesAndQueueOfTheApplicationReplaceRedis() {
		this.runner.withBean(LeaseService.class, () -> mock(LeaseService.class))
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LeaseSettings.class)
				.doesNotHaveBean(RedisConnections.class)
				.doesNotHaveBean(LocketRedis.class)
				.doesNotHaveBean(ServerCheck.class)
				.doesNotHaveBean(RedisLockRegistry.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { LeaseService.class, JobQueue.class })
	<T> void oneStoreOfTheApplicationLeavesRedisForTheOther(Class<T> store) {
		this.runner.withBean(store, () -> mock(store))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LeaseService.class)
				.hasSingleBean(RedisConnections.class)
				.hasSingleBean(LocketRedis.class)
				.hasSingleBean(ServerCheck.class)
				.hasSingleBean(RedisLockRegistry.class));
	}

	@Test
	void connectionsOfTheApplicationStayTheOnlyOnesOfTheirType() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RedisConnectionFactory.class));
	}

	@Test
	void startsWithoutRedisAndFailsAtTheCall() {
		this.runner.withPropertyValues("spring.data.redis.port=1").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> context.getBean(LeaseService.class).tryAcquire("nightly"));
		});
	}

	@Test
	void findsRedisThatComesLater() {
		RedisServer server = RedisServer.start();
		server.stop();
		try (server) {
			this.runner.withPropertyValues(server.properties()).run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				assertThatExceptionOfType(LeaseUnavailableException.class)
					.isThrownBy(() -> leases.tryAcquire("nightly"));
				server.restart();
				Awaitility.await()
					.atMost(Duration.ofSeconds(10))
					.ignoreExceptions()
					.untilAsserted(() -> leases.tryAcquire("nightly").orElseThrow().close());
			});
		}
	}

	@Test
	void disabledLocketHasNoBeans() {
		this.runner.withPropertyValues("locket.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(LeaseService.class).doesNotHaveBean(RedisLockRegistry.class);
		});
	}

	@Test
	void absentRedisLeavesNoLeaseService() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseService.class));
	}

	@Test
	void absentIntegrationLeavesNoLockRegistry() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.integration"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LeaseService.class)
				.doesNotHaveBean("locketLockRegistry"));
	}

	@Test
	void namespaceFallsBackWithAWarning(CapturedOutput output) {
		this.runner.withPropertyValues("spring.application.name=").run((context) -> {
			assertThat(context.getBean(LocketInstance.class).namespace()).isEqualTo("locket");
			assertThat(output).contains("locket.namespace");
		});
	}

	@Test
	void applicationNameThatIsNoNamespaceStopsTheStart() {
		this.runner.withPropertyValues("spring.application.name=my {app}")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessageContaining("locket.namespace"));
	}

	@Test
	void connectionFactoryIsFoundByItsName() {
		this.runner.withUserConfiguration(TwoConnectionFactories.class)
			.withPropertyValues("locket.redis.connection-factory=second")
			.run((context) -> context.getBean(LeaseService.class).tryAcquire("nightly").orElseThrow().close());
	}

	@Test
	void severalConnectionFactoriesWithoutAPrimaryOneStopTheStart() {
		this.runner.withUserConfiguration(TwoConnectionFactories.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLocketConfigurationException.class)
				.hasMessageContaining("locket.redis.connection-factory is not set")
				.hasMessageContaining("second]"));
	}

	@Test
	void unknownConnectionFactoryStopsTheStart() {
		this.runner.withPropertyValues("locket.redis.connection-factory=missing")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("locket.redis.connection-factory=missing"));
	}

	@Test
	void waitReplicasThatAreNotThereGiveNoLease() {
		this.runner.withPropertyValues("locket.redis.wait-replicas=1", "locket.redis.command-timeout=500ms")
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				assertThatExceptionOfType(LeaseUnavailableException.class)
					.isThrownBy(() -> leases.tryAcquire("nightly"))
					.withStackTraceContaining("locket.redis.wait-replicas");
				Awaitility.await().until(() -> leases.isAvailable(leases.keyOf("nightly")));
			});
	}

	@Test
	void waitReplicasThatAreThereGiveALease() {
		try (RedisServer server = RedisServer.start();
				RedisServer replica = RedisServer.start("--replicaof", server.host(),
						Integer.toString(server.port()))) {
			assertThat(replica.port()).isPositive();
			Awaitility.await().until(() -> server.execute("INFO", "replication").toString().contains("state=online"));
			this.runner.withPropertyValues(server.properties())
				.withPropertyValues("locket.redis.wait-replicas=1")
				.run((context) -> context.getBean(LeaseService.class).tryAcquire("nightly").orElseThrow().close());
			String nodes = server.host() + ":" + server.port() + "," + replica.host() + ":" + replica.port();
			this.runner
				.withPropertyValues("spring.data.redis.masterreplica.nodes=" + nodes, "locket.redis.wait-replicas=1")
				.run((context) -> {
					LeaseService leases = context.getBean(LeaseService.class);
					leases.tryAcquire("nightly").orElseThrow().close();
					replica.stop();
					assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> leases.tryAcquire("nightly"))
						.withMessageContaining("replica");
				});
		}
	}

	@Test
	void acquiresThatWaitForReplicasHoldNothingElseUp() {
		this.runner.withPropertyValues("locket.redis.wait-replicas=1", "locket.redis.command-timeout=4s")
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				leases.isAvailable(leases.keyOf("warm up"));
				AtomicReference<Throwable> refused = new AtomicReference<>();
				Thread acquire = new Thread(() -> leases.tryAcquire("nightly"));
				acquire.setUncaughtExceptionHandler((thread, ex) -> refused.set(ex));
				acquire.start();
				Awaitility.await()
					.until(() -> RedisServer.shared()
						.execute("INFO", "clients")
						.toString()
						.contains("blocked_clients:1"));
				long start = System.nanoTime();
				assertThat(leases.isAvailable(leases.keyOf("other"))).isTrue();
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
				assertThat(acquire.isAlive()).isTrue();
				acquire.join();
				assertThat(refused.get()).isInstanceOf(LeaseUnavailableException.class);
			});
	}

	@Test
	void connectionsOutliveTheLockRegistryOfTheApplication() {
		this.runner.withUserConfiguration(LateUnlock.class).run((context) -> {
			String lock = "{" + this.namespace + "}:lease:late";
			assertThat(RedisServer.shared().execute("GET", lock)).isNotNull();
			context.close();
			assertThat(RedisServer.shared().execute("GET", lock)).isNull();
		});
	}

	@Test
	void leaseThatOutlivesItsContextIsKeptAliveUntilItIsReleased() {
		Lease[] held = new Lease[1];
		this.runner.withPropertyValues("locket.lease.duration=900ms", "locket.redis.command-timeout=300ms")
			.run((context) -> held[0] = context.getBean(LeaseService.class).tryAcquire("nightly").orElseThrow());
		String lock = "{" + this.namespace + "}:lease:" + held[0].key().digest();
		Awaitility.await()
			.during(Duration.ofSeconds(2))
			.atMost(Duration.ofSeconds(20))
			.until(() -> held[0].isHeld() && RedisServer.shared().execute("GET", lock) != null);
		held[0].close();
		assertThat(RedisServer.shared().execute("GET", lock)).isNull();
		assertThat(held[0].lossCause()).isNull();
	}

	/**
	 * Unlocks on the locking thread when the bean is destroyed.
	 */
	static class LateUnlock implements DisposableBean {

		private final Lock lock;

		LateUnlock(LockRegistry<?> registry) {
			this.lock = registry.obtain("late");
			assertThat(this.lock.tryLock()).isTrue();
		}

		@Override
		public void destroy() {
			this.lock.unlock();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoConnectionFactories {

		@Bean
		LettuceConnectionFactory first() {
			return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", 1));
		}

		@Bean
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory(
					new RedisStandaloneConfiguration(RedisServer.shared().host(), RedisServer.shared().port()));
		}

	}

}
