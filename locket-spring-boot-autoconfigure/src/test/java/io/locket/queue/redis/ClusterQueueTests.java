package io.locket.queue.redis;

import java.util.HashMap;
import java.util.Map;

import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.redis.ServerCheck;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs everything on a Redis Cluster, through the connections that an application gets.
 */
@ExtendWith(OutputCaptureExtension.class)
class ClusterQueueTests {

	private static RedisCluster cluster;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start();
	}

	@AfterAll
	static void stop() {
		cluster.close();
	}

	@Test
	void queuesAndLeasesWorkOnEveryMaster() {
		Map<Integer, String> namespaces = new HashMap<>();
		while (namespaces.size() < cluster.masters().size()) {
			String namespace = RedisServer.newNamespace();
			namespaces.put(cluster.masterOf("{" + namespace + "}:jobs"), namespace);
		}
		namespaces.forEach((master, namespace) -> {
			work(namespace);
			assertThat(cluster.masters().get(master).execute("EXISTS", "{" + namespace + "}:jobs")).isEqualTo(1L);
		});
	}

	@Test
	void policyOfAnyMasterThatEvictsIsFound(CapturedOutput output) {
		cluster.masters().get(1).execute("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
		application(RedisServer.newNamespace()).run((context) -> {
			ServerCheck check = context.getBean(ServerCheck.class);
			check.run();
			assertThat(check.policy()).contains("allkeys-random");
			assertThat(check.warning()).isPresent();
			cluster.masters().get(1).execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
			check.run();
			assertThat(check.policy()).contains("noeviction");
			assertThat(check.warning()).isEmpty();
			assertThat(output).doesNotContain("cluster.nodes is not set");
		});
	}

	@Test
	void registryKeyInAnotherSlotIsNamedAtTheFirstConnection() {
		application(RedisServer.newNamespace()).run((context) -> {
			RedisConnections connections = context.getBean(RedisConnections.class);
			ServerCheck other = new ServerCheck(connections.shared(), false);
			assertThat(other.run()).isTrue();
			assertThat(other.problems()).singleElement().asString().contains("locket.lease.registry-key");
			ServerCheck own = context.getBean(ServerCheck.class);
			assertThat(own.run()).isTrue();
			assertThat(own.problems()).isEmpty();
			PermissionCheck permissions = context.getBean(PermissionCheck.class);
			assertThat(permissions.run()).isTrue();
			assertThat(permissions.missing()).isEmpty();
		});
	}

	private static void work(String namespace) {
		application(namespace).run((context) -> {
			RedisConnections connections = context.getBean(RedisConnections.class);
			try (QueueFixture fixture = QueueFixture.create(connections, namespace);
					QueueWork work = new QueueWork(fixture, context.getBean(LeaseService.class))) {
				work.run();
			}
		});
	}

	private static ApplicationContextRunner application(String namespace) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.cluster.nodes=" + cluster.nodes(), "locket.namespace=" + namespace);
	}

}
