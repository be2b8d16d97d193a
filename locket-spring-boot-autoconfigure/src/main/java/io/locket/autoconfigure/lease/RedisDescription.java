package io.locket.autoconfigure.lease;

import java.util.Collection;
import java.util.stream.Collectors;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
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
		RedisConfiguration server = LettuceServer.of(lettuce);
		if (server instanceof RedisClusterConfiguration cluster) {
			return "cluster " + hosts(cluster.getClusterNodes());
		}
		if (server instanceof RedisSentinelConfiguration sentinel) {
			String master = (sentinel.getMaster() != null) ? sentinel.getMaster().getName() : "?";
			return "master '" + master + "' of Sentinels " + hosts(sentinel.getSentinels());
		}
		if (server instanceof RedisSocketConfiguration socket) {
			return "socket " + socket.getSocket();
		}
		if (server instanceof RedisStaticMasterReplicaConfiguration list) {
			return "master and replicas " + list.getNodes()
				.stream()
				.map((node) -> node.getHostName() + ":" + node.getPort())
				.collect(Collectors.joining(", "));
		}
		return (server != null) ? "standalone " + lettuce.getHostName() + ":" + lettuce.getPort()
				: "of a master and its replicas";
	}

	private static String hosts(Collection<RedisNode> nodes) {
		return nodes.stream()
			.map((node) -> node.getHost() + ":" + node.getPort())
			.sorted()
			.collect(Collectors.joining(", "));
	}

}
