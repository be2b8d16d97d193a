package io.locket.lease.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.lease.Lease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A lease of the {@link InMemoryLeaseService}: held, then either lost or released, once
 * and for ever.
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
	 * Until when the key stays taken at least.
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
	 * The lease is lost, unless it was released before.
	 */
	void lose(LeaseLossCause cause) {
		synchronized (this) {
			if (!isHeld()) {
				return;
			}
			this.lossCause = cause;
		}
		tellLoss(cause);
	}

	private void tellLoss(LeaseLossCause cause) {
		logger.warn("Lost the lease of job " + this.key + " (" + cause
				+ "): who holds it here is told, and another may take it. Find out why: pauses of this process, a release"
				+ " by force");
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
		catch (RuntimeException ex) {
			logger.warn(
					"An action on the loss of the lease of job " + this.key + " failed: mend it. The others are told",
					ex);
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
		tellLoss(LeaseLossCause.GONE);
	}

	@Override
	public String toString() {
		return "Lease of " + this.key + " (fencing token " + fencingToken() + ")";
	}

}
