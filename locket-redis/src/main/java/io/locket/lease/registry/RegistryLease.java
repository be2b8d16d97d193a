package io.locket.lease.registry;

import java.time.Duration;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.lease.heartbeat.LiveLease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lease that is a lock of the application's own registry. It is bound to the thread that
 * took it.
 */
final class RegistryLease extends LiveLease {

	private static final Log logger = LogFactory.getLog(RegistryLease.class);

	private final Lock lock;

	private final Thread owner = Thread.currentThread();

	private final Consumer<RegistryLease> onEnd;

	RegistryLease(JobKey key, Duration duration, Instant since, long sentAt, Context context, Lock lock,
			Consumer<RegistryLease> onEnd) {
		super(key, duration, since, 0, sentAt, context);
		this.lock = lock;
		this.onEnd = onEnd;
	}

	String thread() {
		return this.owner.getName();
	}

	boolean isOwnThread() {
		return Thread.currentThread() == this.owner;
	}

	@Override
	protected void checkRelease() {
		if (!isOwnThread()) {
			throw new IllegalStateException("With locket.lease.store=lock-registry the lease of job " + key()
					+ " can be released only by the thread that took it, " + this.owner.getName()
					+ ". The store 'redis' allows any thread");
		}
	}

	/**
	 * Releases the lock. An interrupt of the thread would end the call of the store, so
	 * it is put off.
	 */
	@Override
	protected @Nullable LeaseLossCause releaseInStore() {
		boolean interrupted = Thread.interrupted();
		try {
			this.lock.unlock();
			return null;
		}
		catch (ConcurrentModificationException | IllegalStateException ex) {
			logger.debug("According to the registry, the lock of " + this + " is no longer held", ex);
			return LeaseLossCause.GONE;
		}
		catch (RuntimeException ex) {
			logger.warn("The lock registry could not unlock " + this
					+ ". The key stays held until the lock's time to live ends." + " Check the store of the registry: "
					+ ex);
			return null;
		}
		finally {
			this.onEnd.accept(this);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	protected void releaseInStoreLater() {
		releaseInStore();
	}

}
