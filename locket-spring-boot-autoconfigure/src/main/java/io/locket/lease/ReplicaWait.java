package io.locket.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.api.async.RedisAsyncCommands;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Waits until replicas have what was written on Locket's connection. Needs Lettuce, whose
 * shared connection carries the writes and the wait, and a server that is no cluster.
 */
final class ReplicaWait {

	private final StringRedisTemplate redis;

	private final int replicas;

	private final Duration timeout;

	ReplicaWait(RedisConnectionFactory connectionFactory, int replicas, Duration timeout) {
		this.redis = new StringRedisTemplate(connectionFactory);
		this.replicas = replicas;
		this.timeout = timeout;
	}

	/**
	 * Check that enough replicas have the writes before the time is up.
	 * @throws IllegalStateException if they have not
	 */
	void await() {
		Long reached = this.redis.execute((RedisCallback<Long>) (connection) -> {
			if (connection.getNativeConnection() instanceof RedisAsyncCommands<?, ?> commands) {
				// Half of the command timeout, so that the answer comes before that is
				// up.
				return commands.waitForReplication(this.replicas, Math.max(1, this.timeout.toMillis() / 2))
					.toCompletableFuture()
					.orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS)
					.join();
			}
			throw new IllegalStateException(
					"locket.redis.wait-replicas needs Lettuce and a Redis that is not a cluster; set it to 0");
		});
		if (reached == null || reached < this.replicas) {
			throw new IllegalStateException("Only " + reached + " of " + this.replicas
					+ " replicas (locket.redis.wait-replicas) had the lease in time");
		}
	}

}
