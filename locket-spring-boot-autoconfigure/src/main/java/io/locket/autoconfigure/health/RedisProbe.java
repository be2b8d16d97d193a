package io.locket.autoconfigure.health;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.locket.health.StoreProbe;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.redis.MemoryPolicyCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * {@link StoreProbe} for Redis. It asks for a key of the namespace, so that of a cluster
 * the master counts that has it; how Redis is configured it asks once a minute at the
 * most.
 */
final class RedisProbe implements StoreProbe {

	private static final long CONFIGURATION_NANOS = Duration.ofMinutes(1).toNanos();

	private final StringRedisTemplate redis;

	private final String key;

	private final MemoryPolicyCheck policy;

	private final long commandTimeout;

	private final LongSupplier nanoTime;

	private volatile @Nullable Long failedAt;

	private @Nullable Long checkedAt;

	RedisProbe(LeaseConnections connections, LeaseKeys keys, MemoryPolicyCheck policy, LongSupplier nanoTime) {
		this.redis = new StringRedisTemplate(connections.shared());
		this.key = "{" + keys.namespace() + "}:fence";
		this.policy = policy;
		this.commandTimeout = connections.commandTimeout().toNanos();
		this.nanoTime = nanoTime;
	}

	@Override
	public void ping() {
		boolean answered = false;
		try {
			this.redis.opsForValue().get(this.key);
			answered = true;
		}
		finally {
			note(answered);
		}
	}

	private void note(boolean answered) {
		this.failedAt = answered ? null : (Long) this.nanoTime.getAsLong();
	}

	@Override
	public boolean isAway() {
		Long at = this.failedAt;
		return at != null && this.nanoTime.getAsLong() - at < this.commandTimeout;
	}

	@Override
	public Optional<String> evictionPolicy() {
		check();
		return this.policy.policy();
	}

	@Override
	public Optional<String> evictionWarning() {
		return this.policy.warning();
	}

	@Override
	public Optional<Boolean> appendOnly() {
		return this.policy.appendOnly();
	}

	/**
	 * Ask again now and then: somebody may have mended it, or Redis may have given no
	 * answer at start-up.
	 */
	private synchronized void check() {
		long now = this.nanoTime.getAsLong();
		Long last = this.checkedAt;
		boolean known = last == null && this.policy.policy().isPresent();
		if (last != null && now - last < CONFIGURATION_NANOS) {
			return;
		}
		this.checkedAt = now;
		if (!known) {
			note(this.policy.run());
		}
	}

}
