package io.locket.autoconfigure.lease;

import java.util.Collection;
import java.util.stream.Collectors;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Description of a Redis by its kind and its hosts, without credentials.
 */
final class RedisDescription {

	private RedisDescription() {
	}

	/**
	 * Describes the Redis of a connection factory.
	 * @param factory the factory
	 * @return for example {@code standalone localhost:6379}
	 */
	static String of(RedisConnectionFactory factory) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			return "of " + factory.getClass().getSimpleName();
		}
		RedisClusterConfiguration cluster = lettuce.getClusterConfiguration();
		if (cluster != null) {
			return "cluster " + hosts(cluster.getClusterNodes());
		}
		RedisSentinelConfiguration sentinel = lettuce.getSentinelConfiguration();
		if (sentinel != null) {
			String master = (sentinel.getMaster() != null) ? sentinel.getMaster().getName() : "?";
			return "master '" + master + "' of Sentinels " + hosts(sentinel.getSentinels());
		}
		RedisSocketConfiguration socket = lettuce.getSocketConfiguration();
		if (socket != null) {
			return "socket " + socket.getSocket();
		}
		return "standalone " + lettuce.getHostName() + ":" + lettuce.getPort();
	}

	private static String hosts(Collection<RedisNode> nodes) {
		return nodes.stream()
			.map((node) -> node.getHost() + ":" + node.getPort())
			.sorted()
			.collect(Collectors.joining(", "));
	}

}
