package io.locket.autoconfigure.health;

import java.util.Optional;

import io.locket.health.StoreProbe;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.redis.MemoryPolicyCheck;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * {@link StoreProbe} for Redis. It asks for a key of the namespace, so that of a cluster
 * the master counts that has it.
 */
final class RedisProbe implements StoreProbe {

	private final StringRedisTemplate redis;

	private final String key;

	private final MemoryPolicyCheck policy;

	RedisProbe(LeaseConnections connections, LeaseKeys keys, MemoryPolicyCheck policy) {
		this.redis = new StringRedisTemplate(connections.shared());
		this.key = "{" + keys.namespace() + "}:fence";
		this.policy = policy;
	}

	@Override
	public void ping() {
		this.redis.opsForValue().get(this.key);
	}

	/**
	 * A Redis that did not answer at start-up is asked again.
	 */
	@Override
	public Optional<String> evictionPolicy() {
		if (this.policy.policy().isEmpty()) {
			this.policy.run();
		}
		return this.policy.policy();
	}

	@Override
	public Optional<String> evictionWarning() {
		return this.policy.warning();
	}

}
