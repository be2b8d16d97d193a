package io.locket.autoconfigure.lease;

import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LettuceServer}.
 */
class LettuceServerTests {

	private static final LettuceClientConfiguration DEFAULTS = LettuceClientConfiguration.defaultConfiguration();

	private static final LettuceClientConfiguration REPLICAS = LettuceClientConfiguration.builder()
		.readFrom(ReadFrom.REPLICA_PREFERRED)
		.build();

	/**
	 * Checks that the field exists in this version of Spring Data Redis.
	 */
	@Test
	void staticListIsFoundWithAndWithoutReadsFromReplicas() {
		RedisConfiguration list = new RedisStaticMasterReplicaConfiguration("redis-a", 6390);
		assertThat(LettuceServer.of(new LettuceConnectionFactory(list, DEFAULTS))).isSameAs(list);
		assertThat(LettuceServer.of(new LettuceConnectionFactory(list, REPLICAS))).isSameAs(list);
	}

	@Test
	void standaloneServerIsFoundThoughReadsWouldGoToReplicas() {
		RedisConfiguration server = new RedisStandaloneConfiguration("redis-a", 6390);
		assertThat(LettuceServer.of(new LettuceConnectionFactory(server, DEFAULTS))).isSameAs(server);
		assertThat(LettuceServer.of(new LettuceConnectionFactory(server, REPLICAS))).isSameAs(server);
	}

}
