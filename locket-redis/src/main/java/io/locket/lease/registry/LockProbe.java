package io.locket.lease.registry;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.lease.HeldLease;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.LeaseScripts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Probe for the locks of a registry in Redis, provided that they are in Locket's lock
 * space. This is checked once, by taking a lock and searching for it. The check is
 * repeated as long as there is no reply.
 */
public final class LockProbe {

	private static final Log logger = LogFactory.getLog(LockProbe.class);

	private static final int ATTEMPTS = 8;

	private final LeaseScripts scripts;

	private final LockRegistry<?> registry;

	private final Supplier<Runnable> retain;

	private volatile @Nullable Boolean sameSpace;

	/**
	 * Creates a probe.
	 * @param connectionFactory connections to the Redis that may have the locks
	 * @param keys the names in Redis
	 * @param registry the registry
	 * @param retain keeps the connections open and returns their release
	 */
	public LockProbe(RedisConnectionFactory connectionFactory, LeaseKeys keys, LockRegistry<?> registry,
			Supplier<Runnable> retain) {
		this.scripts = new LeaseScripts(connectionFactory, keys, Duration.ZERO);
		this.registry = registry;
		this.retain = retain;
	}

	/**
	 * Keeps the connections open, which Locket's own registry uses as well.
	 * @param end the action after which they are released
	 * @return runs the action and releases the connections
	 */
	Runnable retain(Runnable end) {
		Runnable release = this.retain.get();
		return () -> {
			try {
				end.run();
			}
			finally {
				release.run();
			}
		};
	}

	/**
	 * Returns whether the locks of the registry are where Locket's leases are, and logs
	 * this once. Blocks until the registry and Redis reply or their commands time out.
	 * @return {@code false} if they are elsewhere
	 * @throws RuntimeException if the registry or Redis does not reply
	 */
	public boolean isSameSpace() {
		Boolean known = this.sameSpace;
		if (known == null) {
			known = check();
			if (isFirst(known)) {
				log(known);
			}
		}
		return known;
	}

	private synchronized boolean isFirst(boolean known) {
		boolean first = this.sameSpace == null;
		this.sameSpace = known;
		return first;
	}

	/**
	 * Looks for a lock of the registry in Redis. Some registries refuse a free lock while
	 * another one is held.
	 */
	private boolean check() {
		for (int i = 0; i < ATTEMPTS; i++) {
			String digest = "probe-" + UUID.randomUUID();
			Lock lock = this.registry.obtain(digest);
			if (lock.tryLock()) {
				try {
					return !this.scripts.find(List.of(digest)).isEmpty();
				}
				finally {
					lock.unlock();
				}
			}
		}
		throw new IllegalStateException("The registry refuses locks that have no other holder");
	}

	/**
	 * Returns the name of the registry in messages.
	 * @return the simple name of its class
	 */
	public String registryName() {
		return this.registry.getClass().getSimpleName();
	}

	private void log(boolean same) {
		String name = registryName();
		if (same) {
			logger.info("Leases are locks of " + name
					+ " in Locket's own lock space. Only the thread that took a lease can release it, and there is no fence");
		}
		else {
			logger.warn("Leases are locks of " + name
					+ ", which are not under locket.lease.registry-key, so direct calls"
					+ " exclude neither queued runs nor the locks of other services, and holders of locks are unknown."
					+ " Configure the same key for both to change that");
		}
	}

	/**
	 * Returns the lease of a key, if the locks of the registry are in Locket's lock
	 * space.
	 * @throws RuntimeException if Redis does not reply
	 */
	@Nullable HeldLease find(JobKey key) {
		return isSameSpace() ? this.scripts.find(List.of(key.digest())).stream().findFirst().orElse(null) : null;
	}

}
