package io.locket.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.locket.JobKey;
import io.locket.lease.LeaseScripts.Grant;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Grants that count only when replicas have them. Redis holds up everything that comes
 * after such a wait on its connection, so that this one is used for nothing else. Needs
 * Lettuce, whose shared connection carries both the write and the wait, and a server that
 * is no cluster.
 */
final class ReplicatedGrants implements LeaseGrants {

	private final LeaseScripts scripts;

	private final StringRedisTemplate redis;

	private final int replicas;

	private final Duration timeout;

	ReplicatedGrants(RedisConnectionFactory connectionFactory, LeaseKeys keys, int replicas, Duration timeout) {
		this.scripts = new LeaseScripts(connectionFactory, keys);
		this.redis = new StringRedisTemplate(connectionFactory);
		this.replicas = replicas;
		this.timeout = timeout;
	}

	@Override
	public Grant acquire(JobKey key, String token, Duration duration, String body) {
		return replicated(this.scripts.acquire(key, token, duration, body));
	}

	@Override
	public Grant claim(JobKey key, String token, Duration period, String body) {
		return replicated(this.scripts.claim(key, token, period, body));
	}

	private Grant replicated(Grant grant) {
		if (grant.granted()) {
			await();
		}
		return grant;
	}

	private void await() {
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
