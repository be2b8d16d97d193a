package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is a lock of the application's own registry: it belongs to the thread that
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
	void checkRelease() {
		if (!isOwnThread()) {
			throw new IllegalStateException("With locket.lease.store=lock-registry the lease of job " + key()
					+ " can be released only by the thread that took it, " + this.owner.getName()
					+ "; with the store 'redis' by any");
		}
	}

	@Override
	@Nullable LeaseLossCause giveBack() {
		try {
			this.lock.unlock();
			return null;
		}
		catch (ConcurrentModificationException | IllegalStateException ex) {
			logger.debug("The registry says that the lock of " + this + " is not held any more", ex);
			return LeaseLossCause.GONE;
		}
		catch (RuntimeException ex) {
			logger.warn("The lock registry could not unlock " + this
					+ "; it ends with its time to live, and keeps its key until then."
					+ " Look at the store of the registry: " + ex);
			return null;
		}
		finally {
			this.onEnd.accept(this);
		}
	}

	@Override
	void giveBackLater() {
		giveBack();
	}

}
