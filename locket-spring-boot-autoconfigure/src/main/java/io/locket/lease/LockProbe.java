package io.locket.lease;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

import io.locket.JobKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Asks Redis about the locks of a registry, provided that they are in Locket's lock
 * space. Whether they are is found out once, by taking a lock and looking for it; as long
 * as that gave no answer, it is tried again.
 */
public final class LockProbe {

	private static final Log logger = LogFactory.getLog(LockProbe.class);

	private final LeaseScripts scripts;

	private final LockRegistry<?> registry;

	private volatile @Nullable Boolean sameSpace;

	/**
	 * Create a probe.
	 * @param connectionFactory connections to the Redis that may have the locks
	 * @param keys the names in Redis
	 * @param registry the registry
	 */
	public LockProbe(RedisConnectionFactory connectionFactory, LeaseKeys keys, LockRegistry<?> registry) {
		this.scripts = new LeaseScripts(connectionFactory, keys);
		this.registry = registry;
	}

	/**
	 * Return whether the locks of the registry are where Locket's leases are.
	 * @return {@code false} if they are elsewhere
	 * @throws RuntimeException if neither registry nor Redis gives an answer
	 */
	public boolean isSameSpace() {
		Boolean known = this.sameSpace;
		if (known == null) {
			known = look();
			this.sameSpace = known;
			tell(known);
		}
		return known;
	}

	private boolean look() {
		String digest = "probe-" + UUID.randomUUID();
		Lock lock = this.registry.obtain(digest);
		if (!lock.tryLock()) {
			throw new IllegalStateException("The registry refuses a lock that nobody else can have");
		}
		try {
			return !this.scripts.find(List.of(digest)).isEmpty();
		}
		finally {
			lock.unlock();
		}
	}

	private void tell(boolean same) {
		String name = this.registry.getClass().getSimpleName();
		if (same) {
			logger.info("Leases are locks of " + name
					+ " in Locket's own lock space: released by the thread that took them, without a fence");
		}
		else {
			logger.warn("Leases are locks of " + name + ", which are not under locket.lease.registry-key: direct calls"
					+ " do not exclude what others lock there, and who holds a lock cannot be told. Give both the same key if they should");
		}
	}

	/**
	 * Look who holds a key, if the registry's locks can be asked for.
	 * @throws RuntimeException if Redis gives no answer
	 */
	@Nullable HeldLease find(JobKey key) {
		return isSameSpace() ? this.scripts.find(List.of(key.digest())).stream().findFirst().orElse(null) : null;
	}

}
