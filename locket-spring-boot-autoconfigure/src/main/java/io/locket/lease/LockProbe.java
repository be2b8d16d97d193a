package io.locket.lease;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.LockRegistry;

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

	/**
	 * Return whether the locks of a registry are where Locket's leases are. Takes a lock
	 * of its own for a moment to find out.
	 * @param registry the registry
	 * @return {@code false} if it locks elsewhere, or if no lock can be had
	 */
	public boolean sees(LockRegistry<?> registry) {
		String digest = "probe-" + UUID.randomUUID();
		Lock lock = registry.obtain(digest);
		if (!lock.tryLock()) {
			return false;
		}
		try {
			return !this.scripts.find(List.of(digest)).isEmpty();
		}
		finally {
			lock.unlock();
		}
	}

	@Nullable HeldLease find(JobKey key) {
		return this.scripts.find(List.of(key.digest())).stream().findFirst().orElse(null);
	}

}
