package io.locket.aop.call;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.JobContext;
import io.locket.lease.ClaimLease;
import io.locket.lease.Lease;
import io.locket.lease.heartbeat.LeaseJobContext;
import io.locket.lease.heartbeat.LossInterrupt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Lease with several users: the body that took it, nested calls, an open transaction, a
 * result that is still to come. The last of them releases it, on any thread. A failing
 * release is logged and not thrown, so it never hides the outcome of the body.
 * Thread-safe.
 */
public final class SharedLease {

	private static final Log logger = LogFactory.getLog(SharedLease.class);

	private final Lease lease;

	private final JobContext context;

	private final Runnable onUnused;

	private final Map<Object, Runnable> lossActions = new LinkedHashMap<>();

	private boolean listening;

	private int users = 1;

	SharedLease(Lease lease, RunningCalls calls) {
		this(lease, new LeaseJobContext(lease), () -> close(lease, calls));
		calls.begin();
	}

	/**
	 * Creates a lease that its last user does not release.
	 * @param lease the lease
	 * @param context the context of its bodies
	 * @param onUnused the action after the last user has released it
	 */
	public SharedLease(Lease lease, JobContext context, Runnable onUnused) {
		this.lease = lease;
		this.context = context;
		this.onUnused = onUnused;
	}

	public Lease lease() {
		return this.lease;
	}

	public JobContext context() {
		return this.context;
	}

	/**
	 * Returns whether this is the claim of a period, which a later call never inherits.
	 * @return {@code true} for a claim
	 */
	public boolean isClaim() {
		return this.lease instanceof ClaimLease;
	}

	/**
	 * Registers a user, unless the lease was released or lost.
	 * @return {@code true} if the caller must release the lease
	 */
	public synchronized boolean retain() {
		if (this.users == 0 || !this.lease.isHeld()) {
			return false;
		}
		this.users++;
		return true;
	}

	/**
	 * Registers an action that runs once when the lease is lost, or at once if it is lost
	 * already.
	 * @param action the action, which must not block
	 * @return removes the action
	 */
	public Runnable onLost(Runnable action) {
		Object token = new Object();
		boolean first;
		synchronized (this.lossActions) {
			this.lossActions.put(token, action);
			first = !this.listening;
			this.listening = true;
		}
		if (first || this.lease.lossCause() != null) {
			this.lease.onLost((LossInterrupt) this::lost);
		}
		return () -> {
			synchronized (this.lossActions) {
				this.lossActions.remove(token);
			}
		};
	}

	private void lost() {
		List<Runnable> actions;
		synchronized (this.lossActions) {
			actions = List.copyOf(this.lossActions.values());
			this.lossActions.clear();
		}
		for (Runnable action : actions) {
			try {
				action.run();
			}
			catch (Throwable ex) {
				// A failure of any type must not affect other callbacks.
				logger.warn("Lease-loss callback of job " + this.lease.key()
						+ " failed. Other callbacks still run. Report this as a bug", ex);
			}
		}
	}

	/**
	 * Releases the lease for one user.
	 */
	public void release() {
		if (removeUser()) {
			this.onUnused.run();
		}
	}

	/**
	 * Releases the lease for its only user, whose body has not begun. The claim of a
	 * period is released, too.
	 */
	public void abandon() {
		try {
			if (this.lease instanceof ClaimLease claim) {
				claim.release();
			}
		}
		finally {
			release();
		}
	}

	private static void close(Lease lease, RunningCalls calls) {
		try {
			lease.close();
		}
		catch (Throwable ex) {
			// A failure of any type must not hide the outcome of the body.
			logger.warn("The lease of job " + lease.key()
					+ " could not be released. Its key stays held until the lease expires."
					+ " If this is logged again, check Redis", ex);
		}
		finally {
			calls.end();
		}
	}

	/**
	 * Removes a user.
	 * @return whether it was the last one
	 */
	private synchronized boolean removeUser() {
		this.users--;
		return this.users == 0;
	}

}
