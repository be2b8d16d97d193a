package io.locket.lease.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.log.MaskedFailureException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Lease of the {@link InMemoryLeaseService}: held, and finally either lost or released.
 */
final class MemoryLease implements Lease {

	private static final Log logger = LogFactory.getLog(MemoryLease.class);

	private final InMemoryLeaseService service;

	private final JobKey key;

	private final KeyLock lock;

	private final Duration duration;

	private final long heldUntil;

	private List<Runnable> lossActions = new ArrayList<>();

	private @Nullable LeaseLossCause lossCause;

	private boolean released;

	MemoryLease(InMemoryLeaseService service, JobKey key, KeyLock lock, Duration duration, long heldUntil) {
		this.service = service;
		this.key = key;
		this.lock = lock;
		this.duration = duration;
		this.heldUntil = heldUntil;
	}

	KeyLock lock() {
		return this.lock;
	}

	/**
	 * Returns the end of the minimum hold.
	 */
	long heldUntil() {
		return this.heldUntil;
	}

	@Override
	public JobKey key() {
		return this.key;
	}

	@Override
	public long fencingToken() {
		return this.lock.holder().fencingToken();
	}

	@Override
	public Instant since() {
		return Instant.ofEpochMilli(this.lock.takenAt());
	}

	@Override
	public Duration remaining() {
		return isHeld() ? this.duration.minus(this.duration.dividedBy(10)) : Duration.ZERO;
	}

	@Override
	public synchronized boolean isHeld() {
		return this.lossCause == null && !this.released;
	}

	@Override
	public synchronized @Nullable LeaseLossCause lossCause() {
		return this.lossCause;
	}

	@Override
	public void onLost(Runnable action) {
		synchronized (this) {
			if (this.released) {
				return;
			}
			if (this.lossCause == null) {
				this.lossActions.add(action);
				return;
			}
		}
		runSafely(action);
	}

	/**
	 * Marks the lease as lost, unless it was released before.
	 */
	void lose(LeaseLossCause cause) {
		synchronized (this) {
			if (!isHeld()) {
				return;
			}
			this.lossCause = cause;
		}
		notifyLoss(cause);
	}

	private void notifyLoss(LeaseLossCause cause) {
		logger.warn("Lost the lease of job " + this.key + " (" + cause
				+ "). Its holder in this process is notified, and another process may take the key. Check for pauses"
				+ " of this process or a release by force");
		List<Runnable> actions;
		synchronized (this) {
			actions = this.lossActions;
			this.lossActions = List.of();
		}
		actions.forEach(this::runSafely);
		this.service.publish(new LeaseLost(this.key, fencingToken(), cause));
	}

	private void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			// A failure of any type must affect neither other callbacks nor listeners.
			logger.warn(
					"Lease-loss callback of job " + this.key + " failed. Other callbacks still run. Fix the callback",
					MaskedFailureException.of(ex, JobKeys.isMasked(this.key)));
		}
	}

	@Override
	public boolean renew() {
		return isHeld();
	}

	@Override
	public void close() {
		synchronized (this) {
			if (!isHeld()) {
				return;
			}
			this.released = true;
		}
		Duration held = this.service.release(this);
		if (held != null) {
			this.service.publish(new LeaseReleased(this.key, fencingToken(), held));
			return;
		}
		synchronized (this) {
			this.lossCause = LeaseLossCause.GONE;
		}
		notifyLoss(LeaseLossCause.GONE);
	}

	@Override
	public String toString() {
		return "Lease of " + this.key + " (fencing token " + fencingToken() + ")";
	}

}
