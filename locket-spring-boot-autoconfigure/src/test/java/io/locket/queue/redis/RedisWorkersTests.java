package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.locket.queue.QueueUnavailableException;
import io.locket.queue.WorkerInfo;
import io.locket.queue.spi.JobStore.PollRequest;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisWorkers}.
 */
class RedisWorkersTests {

	@Test
	void idlePollWritesNothing() {
		try (QueueFixture fixture = QueueFixture.manual()) {
			fixture.reserve(1, "q");
			Map<Object, Object> before = state(fixture);
			assertThat(before).containsOnlyKeys("w:poller");
			fixture.advance(Duration.ofMinutes(20));
			fixture.reserve(1, "q");
			assertThat(state(fixture)).isEqualTo(before);
		}
	}

	@Test
	void damagedTimeOfARequestCountsAsNone() {
		try (QueueFixture fixture = QueueFixture.manual()) {
			fixture.reserve(1, "q");
			fixture.redis.opsForHash().put(fixture.name("state"), "asked", "damaged");
			fixture.advance(Duration.ofMinutes(20));
			fixture.reserve(1, "q");
			assertThat(fixture.store.requestPolls(Instant.EPOCH)).map(PollRequest::before).contains(Instant.EPOCH);
			assertThat(fixture.store.verify()).isEmpty();
		}
	}

	@Test
	void workersAreListedWhileRedisRefusesWrites() {
		try (RedisServer server = RedisServer.start();
				QueueFixture fixture = QueueFixture.create(server, RedisServer.newNamespace(), Duration.ofSeconds(2))) {
			Instant longAgo = Instant.ofEpochMilli(System.currentTimeMillis()).minus(Duration.ofMinutes(10));
			fixture.field("state", "w:a", PollerBytes.of(longAgo.toEpochMilli(), "request", "host/1/a", ""));
			server.execute("CONFIG", "SET", "min-replicas-to-write", "1");
			assertThatExceptionOfType(QueueUnavailableException.class)
				.isThrownBy(() -> fixture.store.requestPolls(longAgo));
			assertThat(fixture.store.workers()).containsExactly(new WorkerInfo("host/1/a", longAgo, 1, 0));
			server.execute("CONFIG", "SET", "min-replicas-to-write", "0");
			assertThat(fixture.store.requestPolls(longAgo)).isPresent();
		}
	}

	private static Map<Object, Object> state(QueueFixture fixture) {
		return fixture.redis.opsForHash().entries(fixture.name("state"));
	}

}
