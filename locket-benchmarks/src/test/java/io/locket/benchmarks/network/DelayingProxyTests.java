package io.locket.benchmarks.network;

import java.util.concurrent.TimeUnit;

import io.lettuce.core.api.StatefulRedisConnection;
import io.locket.benchmarks.redis.BenchmarkRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayingProxy}.
 */
class DelayingProxyTests {

	private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	@Test
	void roundTripTakesTheDelayTwice() {
		try (BenchmarkRedis redis = BenchmarkRedis.start();
				DelayingProxy proxy = new DelayingProxy(redis, DELAY_NANOS);
				StatefulRedisConnection<String, String> connection = redis.connect(proxy.port())) {
			long started = System.nanoTime();
			connection.sync().set("key", "value");
			assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(2 * DELAY_NANOS);
			assertThat(connection.sync().get("key")).isEqualTo("value");
		}
	}

}
