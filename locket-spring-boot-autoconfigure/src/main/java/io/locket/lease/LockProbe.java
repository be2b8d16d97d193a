package io.locket.lease;

import java.util.List;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Asks Redis about the locks of a registry whose registry key is Locket's.
 */
public final class LockProbe {

	private final LeaseScripts scripts;

	/**
	 * Create a probe.
	 * @param connectionFactory connections to the Redis of the registry
	 * @param keys the names in Redis
	 */
	public LockProbe(RedisConnectionFactory connectionFactory, LeaseKeys keys) {
		this.scripts = new LeaseScripts(connectionFactory, keys);
	}

	@Nullable HeldLease find(JobKey key) {
		return this.scripts.find(List.of(key.digest())).stream().findFirst().orElse(null);
	}

}
