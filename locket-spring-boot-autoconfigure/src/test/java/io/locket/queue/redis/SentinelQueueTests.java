package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisSentinels;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs everything behind a Sentinel, before and after a fail-over.
 */
class SentinelQueueTests {

	private static final Duration FAIL_OVER = Duration.ofSeconds(15);

	@Test
	void queuesAndLeasesGoOnAfterAFailOver() {
		String namespace = RedisServer.newNamespace();
		try (RedisSentinels sentinels = RedisSentinels.start()) {
			new ApplicationContextRunner()
				.withConfiguration(
						AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
				.withPropertyValues("spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
						"spring.data.redis.sentinel.nodes=" + sentinels.sentinel().host() + ":"
								+ sentinels.sentinel().port(),
						"locket.namespace=" + namespace)
				.run((context) -> {
					RedisConnections connections = context.getBean(RedisConnections.class);
					try (QueueFixture fixture = QueueFixture.create(connections, namespace);
							QueueWork work = new QueueWork(fixture, context.getBean(LeaseService.class))) {
						work.run();
						failOver(sentinels, fixture);
						work.run();
					}
				});
		}
	}

	/**
	 * Checks that replicated jobs continue after a fail-over. Scripts are not replicated.
	 */
	private static void failOver(RedisSentinels sentinels, QueueFixture fixture) {
		NewJob waits = QueueFixture.job("waits", "kept", LockStrategy.UNTIL_EXECUTED, "waits");
		fixture.queue.enqueue(List.of(QueueFixture.job("runs", "kept", LockStrategy.UNTIL_EXECUTED, "runs"), waits));
		ReservedJob run = fixture.reserve(1, "kept").jobs().get(0);
		assertThat(sentinels.master().execute("WAIT", "1", "5000")).isEqualTo(1L);
		sentinels.master().stop();
		EndResult end = Awaitility.await()
			.atMost(FAIL_OVER)
			.ignoreExceptions()
			.until(() -> fixture.queue.settle(List.of(RunEnd.succeeded(run)), null), (reply) -> true)
			.ends()
			.get(0);
		assertThat(end).isEqualTo(new EndResult("runs", true, JobState.SUCCEEDED));
		assertThat(sentinels.replica().execute("ROLE").toString()).startsWith("[master");
		assertThat(fixture.queue.enqueue(waits)).isEqualTo(new EnqueueResult.Accepted("waits"));
		ReservedJob next = fixture.reserve(2, "kept").jobs().get(0);
		assertThat(fixture.queue.settle(List.of(RunEnd.succeeded(next)), null).ends().get(0).counted()).isTrue();
		assertThat(fixture.store.verify()).isEmpty();
	}

}
