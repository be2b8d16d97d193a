package io.locket.lease.registry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.locket.JobKey;
import io.locket.LeaseRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Locks of a registry, with the differences between kinds and versions of registries.
 */
final class RegistryLocks {

	private static final Log logger = LogFactory.getLog(RegistryLocks.class);

	private final LockRegistry<?> registry;

	RegistryLocks(LockRegistry<?> registry) {
		this.registry = registry;
	}

	/**
	 * Obtains a lock object. From Spring Integration 7.1.1 on, a registry that has as
	 * many acquired locks as its cache capacity throws without a call of its store.
	 */
	Lock obtain(JobKey key) {
		try {
			return this.registry.obtain(key.digest());
		}
		catch (CannotAcquireLockException ex) {
			throw new LeaseRefusedException("The lock registry has no room for the lock of " + key
					+ ". Raise its cache capacity, or use locket.lease.store=redis. " + ex.getMessage());
		}
	}

	/**
	 * Takes a lock. An earlier interrupt of the thread ends a wait. An attempt without a
	 * wait puts it off.
	 */
	static boolean tryLock(Lock lock, Duration duration, Duration wait) throws InterruptedException {
		boolean interrupted = wait.isZero() && Thread.interrupted();
		try {
			if (lock instanceof DistributedLock distributed) {
				return distributed.tryLock(wait, duration);
			}
			return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Releases a lock for which there is no lease. An interrupt of the thread is put off.
	 * @return {@code false} if the registry has failed, so that the lock may stay held
	 */
	static boolean unlock(Lock lock) {
		boolean interrupted = Thread.interrupted();
		try {
			lock.unlock();
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("Could not unlock a lock that was granted too late", ex);
			return false;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
