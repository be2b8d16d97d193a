package io.locket.autoconfigure.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.locket.UniqueJob;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.job.StartLine;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.lease.redis.LeaseKeys;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.testing.ReadyEvents;
import io.locket.testing.RedisServer;
import io.netty.util.concurrent.EventExecutorGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LocketRedisFactory} and for the Redis of the start-up log line.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketRedisFactoryTests {

	private static final String REFRESH = "spring.data.redis.lettuce.cluster.refresh.";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
		.withPropertyValues("locket.namespace=shop");

	private final ApplicationContextRunner cluster = this.runner
		.withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:2,127.0.0.1:1");

	@Test
	void topologyIsRefreshedUnlessTheApplicationHasConfiguredIt() {
		this.cluster.withPropertyValues(REFRESH + "dynamic-refresh-sources=false").run((context) -> {
			ClusterTopologyRefreshOptions refresh = refresh(context);
			assertThat(refresh.isPeriodicRefreshEnabled()).isTrue();
			assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(30));
			assertThat(refresh.getAdaptiveRefreshTriggers()).isNotEmpty();
			assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofSeconds(1));
			assertThat(refresh.useDynamicRefreshSources()).isFalse();
		});
		this.cluster.withPropertyValues(REFRESH + "period=5s").run((context) -> {
			assertThat(refresh(context).getRefreshPeriod()).isEqualTo(Duration.ofSeconds(5));
			assertThat(refresh(context).getAdaptiveRefreshTimeout()).isGreaterThan(Duration.ofSeconds(1));
		});
		this.cluster.withPropertyValues(REFRESH + "adaptive=false")
			.run((context) -> assertThat(refresh(context).isPeriodicRefreshEnabled()).isFalse());
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks", "{locks}{shop}", "{shop", "locks:{}{shop}", "{shop}x}:{y}x" })
	void registryKeyOfAnotherSlotStopsTheStartOnACluster(String registryKey) {
		boolean sameSlot = registryKey.startsWith("{shop}");
		this.cluster.withPropertyValues("locket.lease.registry-key=" + registryKey).run((context) -> {
			if (sameSlot) {
				assertThat(context).hasNotFailed();
			}
			else {
				assertThat(context).getFailure()
					.rootCause()
					.isInstanceOf(InvalidLocketConfigurationException.class)
					.hasMessageContaining("locket.lease.registry-key=" + registryKey)
					.hasMessageContaining("another slot");
			}
		});
	}

	/**
	 * Checks a list whose reads go to a replica, which Locket must not read.
	 */
	@Test
	void ownConnectionsToAStaticListUseTheMasterOnly() {
		RedisServer server = RedisServer.shared();
		String node = server.host() + ":" + server.port();
		this.runner
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(),
					"spring.data.redis.lettuce.read-from=replica", "spring.data.redis.masterreplica.nodes=" + node)
			.run((context) -> {
				assertThat(factory(context).getClientConfiguration().getReadFrom()).isEmpty();
				LeaseService leases = context.getBean(LeaseService.class);
				try (Lease lease = leases.tryAcquire("nightly").orElseThrow()) {
					assertThat(lease.isHeld()).isTrue();
					assertThat(server.execute("EXISTS", context.getBean(LeaseKeys.class).lock(lease.key().digest())))
						.hasToString("1");
					assertThat(leases.forceRelease(lease.key().digest())).isPresent();
				}
				assertThat(context.getBean(LocketRedis.class).description()).isEqualTo("master and replicas " + node);
				PermissionCheck permissions = context.getBean(PermissionCheck.class);
				assertThat(permissions.run()).isTrue();
				assertThat(permissions.missing()).isEmpty();
			});
	}

	@Test
	void connectionsReconnectEvenIfThoseOfTheApplicationDoNot() {
		try (RedisServer server = RedisServer.start()) {
			this.runner.withPropertyValues(server.properties())
				.withBean(LettuceClientConfigurationBuilderCustomizer.class, () -> (client) -> client.clientOptions(
						ClientOptions.builder().autoReconnect(false).suspendReconnectOnProtocolFailure(true).build()))
				.run((context) -> {
					LeaseService leases = context.getBean(LeaseService.class);
					leases.tryAcquire("nightly").orElseThrow().close();
					server.execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
					await().ignoreExceptions()
						.until(() -> leases.tryAcquire("nightly"), Optional::isPresent)
						.orElseThrow()
						.close();
					ClientOptions options = factory(context).getClientConfiguration().getClientOptions().orElseThrow();
					assertThat(options.isSuspendReconnectOnProtocolFailure()).isFalse();
				});
		}
	}

	@Test
	void keepAliveFindsADeadPeerSoonUnlessTheApplicationHasConfiguredIt() {
		this.runner.withPropertyValues(RedisServer.shared().properties()).run((context) -> {
			SocketOptions socket = factory(context).getClientConfiguration()
				.getClientOptions()
				.map(ClientOptions::getSocketOptions)
				.orElseThrow();
			assertThat(socket.isKeepAlive()).isTrue();
			assertThat(socket.getKeepAlive().getIdle()).isEqualTo(Duration.ofSeconds(30));
		});
	}

	@Test
	void connectionsAreNamedInTheClientListWhateverTheApplicationCallsItsOwn() {
		String namespace = RedisServer.newNamespace();
		this.runner.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + namespace, "spring.data.redis.client-name=mine")
			.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				assertThat(leases.isAvailable(leases.keyOf("report"))).isTrue();
				assertThat(clients())
					.contains(" name=locket:" + namespace + ":" + context.getBean(LocketInstance.class).name() + " ");
			});
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void connectionsAndTheirThreadsEndWithTheContext(int replicas) {
		String namespace = RedisServer.newNamespace();
		List<LettuceConnectionFactory> factories = new ArrayList<>();
		List<EventExecutorGroup> threads = new ArrayList<>();
		this.runner.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + namespace, "locket.redis.wait-replicas=" + replicas)
			.run((context) -> {
				RedisConnections connections = context.getBean(RedisConnections.class);
				for (RedisConnectionFactory factory : List.of(connections.shared(), connections.forReplicaWaits())) {
					try (RedisConnection connection = factory.getConnection()) {
						connection.ping();
					}
					factories.add((LettuceConnectionFactory) factory);
				}
				ClientResources resources = factories.get(0)
					.getClientConfiguration()
					.getClientResources()
					.orElseThrow();
				threads.add(resources.eventExecutorGroup());
				assertThat(clients()).contains("name=locket:" + namespace);
			});
		assertThat(factories).hasSize(2).noneMatch(LettuceConnectionFactory::isRunning);
		await().untilAsserted(() -> assertThat(clients()).doesNotContain("name=locket:" + namespace));
		await().untilAsserted(() -> assertThat(threads).hasSize(1).allMatch(EventExecutorGroup::isTerminated));
	}

	@Test
	void connectionNameHasPrintableCharactersOnly() {
		assertThat(new LocketInstance("caf\u00e9", "my host/1/a").connectionName())
			.isEqualTo("locket:caf?:my?host/1/a");
	}

	@Test
	void startLineHasNamespaceRedisJobsAndQueuesAndNoPassword(CapturedOutput output) {
		RedisServer server = RedisServer.shared();
		this.runner.withPropertyValues(server.properties())
			.withPropertyValues("locket.worker.queues=urgent,bulk", "spring.data.redis.password=s3cret")
			.withBean(Reports.class)
			.run((context) -> {
				ReadyEvents.publish(context);
				assertThat(output)
					.contains("namespace 'shop', Redis standalone " + server.host() + ":" + server.port()
							+ ", 1 job(s), 0 schedule(s), serving queues [bulk, urgent]")
					.doesNotContain("s3cret");
			});
	}

	@Test
	void startLineHasSentinelsAndClusters() {
		this.cluster.run((context) -> assertThat(context.getBean(StartLine.class).text())
			.contains("Redis cluster 127.0.0.1:1, 127.0.0.1:2", "no queues served"));
		this.runner
			.withPropertyValues("spring.data.redis.sentinel.master=main",
					"spring.data.redis.sentinel.nodes=127.0.0.1:1")
			.run((context) -> assertThat(context.getBean(StartLine.class).text())
				.contains("Redis master 'main' of Sentinels 127.0.0.1:1"));
	}

	private static String clients() {
		return RedisServer.shared().execute("CLIENT", "LIST").toString();
	}

	private static ClusterTopologyRefreshOptions refresh(AssertableApplicationContext context) {
		ClientOptions options = factory(context).getClientConfiguration().getClientOptions().orElseThrow();
		return ((ClusterClientOptions) options).getTopologyRefreshOptions();
	}

	private static OwnConnectionFactory factory(AssertableApplicationContext context) {
		return (OwnConnectionFactory) context.getBean(RedisConnections.class).shared();
	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write() {
			throw new IllegalStateException("Report without a worker");
		}

	}

}
