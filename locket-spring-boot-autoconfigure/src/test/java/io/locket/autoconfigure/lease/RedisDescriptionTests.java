package io.locket.autoconfigure.lease;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RedisDescription}.
 */
class RedisDescriptionTests {

	@Test
	void serverIsDescribedWithoutItsCredentials() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis-1", 6380);
		server.setUsername("shop");
		server.setPassword(RedisPassword.of("secret"));
		assertThat(describe(server)).isEqualTo("standalone redis-1:6380");
		assertThat(describe(new RedisSocketConfiguration("/run/redis.sock"))).isEqualTo("socket /run/redis.sock");
	}

	@Test
	void severalHostsAreSorted() {
		assertThat(describe(new RedisClusterConfiguration(List.of("b:2", "a:1")))).isEqualTo("cluster a:1, b:2");
		assertThat(describe(new RedisSentinelConfiguration().master("main").sentinel("b", 2).sentinel("a", 1)))
			.isEqualTo("master 'main' of Sentinels a:1, b:2");
	}

	@Test
	void staticListIsDescribedByItsNodes() {
		RedisStaticMasterReplicaConfiguration list = new RedisStaticMasterReplicaConfiguration("redis-a", 6390);
		list.addNode("redis-b", 6391);
		assertThat(describe(list)).isEqualTo("master and replicas redis-a:6390, redis-b:6391");
	}

	@Test
	void otherFactoryIsDescribedByItsClass() {
		assertThat(RedisDescription.of(mock(RedisConnectionFactory.class)))
			.startsWith("of RedisConnectionFactory$Mockito");
	}

	private static String describe(RedisConfiguration configuration) {
		return RedisDescription
			.of(new LettuceConnectionFactory(configuration, LettuceClientConfiguration.defaultConfiguration()));
	}

}
