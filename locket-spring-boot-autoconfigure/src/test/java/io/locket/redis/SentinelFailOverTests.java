package io.locket.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.testing.RedisSentinels;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a process whose master hangs while Sentinel promotes the replica.
 */
@Tag("scale")
class SentinelFailOverTests {

	/**
	 * Maximum time for the recovery, far less than a lease of 35 s with a command timeout
	 * of 2 s.
	 */
	private static final Duration BACK_AT_WORK = Duration.ofSeconds(20);

	@Test
	void workersGoOnAtTheNewMasterWhileTheOldOneHangs() {
		String namespace = RedisServer.newNamespace();
		try (RedisSentinels sentinels = RedisSentinels.start()) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						WorkerAutoConfiguration.class))
				.withBean(Counted.class)
				.withPropertyValues("spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
						"spring.data.redis.sentinel.nodes=" + sentinels.sentinel().host() + ":"
								+ sentinels.sentinel().port(),
						"locket.namespace=" + namespace, "locket.worker.queues=counted", "locket.worker.concurrency=2")
				.run((context) -> {
					Jobs jobs = context.getBean(Jobs.class);
					Counted counted = context.getBean(Counted.class);
					jobs.enqueue("counted.run", "before");
					Awaitility.await().until(() -> counted.runs().contains("before"));
					sentinels.master().freeze();
					Awaitility.await()
						.atMost(BACK_AT_WORK)
						.ignoreExceptions()
						.until(() -> jobs.enqueue("counted.run", "during"), EnqueueResult.Accepted.class::isInstance);
					Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> counted.runs().contains("during"));
					assertThat(sentinels.replica().execute("ROLE").toString()).startsWith("[master");
					assertThat(clients(sentinels.replica(), namespace)).isPositive();
					sentinels.master().resume();
					jobs.enqueue("counted.run", "after");
					Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> counted.runs().contains("after"));
					Awaitility.await()
						.atMost(Duration.ofSeconds(10))
						.until(() -> clients(sentinels.master(), namespace) == 0);
				});
		}
	}

	private static long clients(RedisServer server, String namespace) {
		return server.execute("CLIENT", "LIST")
			.toString()
			.lines()
			.filter((line) -> line.contains("name=locket:" + namespace + ":"))
			.count();
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
