package io.locket.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Check whether connections lead to a single server, which then has all subscribers. On a
 * cluster a subscriber may be on any node.
 */
public final class SingleServer {

	private SingleServer() {
	}

	/**
	 * Returns whether the connections lead to a single server, or to the master of its
	 * replicas.
	 * @param connectionFactory the factory of the connections
	 * @return {@code false} for a cluster, and for connections of unknown kind
	 */
	public static boolean isServerOf(RedisConnectionFactory connectionFactory) {
		return connectionFactory instanceof LettuceConnectionFactory lettuce && !lettuce.isClusterAware();
	}

}
