package io.locket.autoconfigure;

import io.locket.testing.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * {@link JedisApplicationTests} on a Redis Cluster.
 */
@Tag("scale")
class JedisClusterApplicationTests extends JedisApplicationTests {

	private static RedisCluster cluster;

	@BeforeAll
	static void start() {
		cluster = RedisCluster.start();
	}

	@AfterAll
	static void stop() {
		cluster.close();
	}

	@Override
	String[] redisProperties() {
		return new String[] { "spring.data.redis.cluster.nodes=" + cluster.nodes() };
	}

}
