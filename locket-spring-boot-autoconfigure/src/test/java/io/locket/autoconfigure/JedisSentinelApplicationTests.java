package io.locket.autoconfigure;

import io.locket.testing.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * {@link JedisApplicationTests} behind a Sentinel.
 */
@Tag("scale")
class JedisSentinelApplicationTests extends JedisApplicationTests {

	private static RedisSentinels sentinels;

	@BeforeAll
	static void start() {
		sentinels = RedisSentinels.start();
		// A fail-over would lose jobs. This test needs none.
		sentinels.sentinel().execute("SENTINEL", "SET", RedisSentinels.MASTER, "down-after-milliseconds", "60000");
	}

	@AfterAll
	static void stop() {
		sentinels.close();
	}

	@Override
	String[] redisProperties() {
		return new String[] { "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
				"spring.data.redis.sentinel.nodes=" + sentinels.sentinel().host() + ":" + sentinels.sentinel().port() };
	}

}
