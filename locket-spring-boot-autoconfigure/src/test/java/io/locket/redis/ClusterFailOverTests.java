package io.locket.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.testing.RedisCluster;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a process on a cluster. The master of its namespace dies or hangs and its
 * replica is promoted.
 */
@Tag("scale")
class ClusterFailOverTests {

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void workersGoOnAtThePromotedReplica(boolean hangs) {
		String namespace = RedisServer.newNamespace();
		try (RedisCluster cluster = RedisCluster.start()) {
			int master = cluster.masterOf("{" + namespace + "}:jobs");
			RedisServer replica = cluster.addReplica(master);
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						WorkerAutoConfiguration.class))
				.withBean(Counted.class)
				.withPropertyValues(
						"spring.data.redis.cluster.nodes=" + cluster.masters()
							.stream()
							.map((node) -> node.host() + ":" + node.port())
							.collect(Collectors.joining(",")),
						"locket.namespace=" + namespace, "locket.worker.queues=counted", "locket.worker.concurrency=2")
				.run((context) -> {
					Jobs jobs = context.getBean(Jobs.class);
					Counted counted = context.getBean(Counted.class);
					jobs.enqueue("counted.run", "before");
					Awaitility.await().until(() -> counted.runs().contains("before"));
					if (hangs) {
						cluster.masters().get(master).freeze();
					}
					else {
						cluster.masters().get(master).stop();
					}
					Awaitility.await()
						.atMost(Duration.ofSeconds(20))
						.until(() -> replica.execute("ROLE").toString().startsWith("[master"));
					Duration patience = Duration.ofSeconds(hangs ? 12 : 4);
					Awaitility.await()
						.atMost(patience)
						.ignoreExceptions()
						.until(() -> jobs.enqueue("counted.run", "after"), EnqueueResult.Accepted.class::isInstance);
					Awaitility.await().atMost(patience).until(() -> counted.runs().contains("after"));
					assertThat(counted.runs()).contains("after");
				});
		}
	}

	static class Counted {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		@UniqueJob(name = "counted.run", queue = "counted")
		public void run(String name) {
			this.runs.add(name);
		}

		List<String> runs() {
			return this.runs;
		}

	}

}
