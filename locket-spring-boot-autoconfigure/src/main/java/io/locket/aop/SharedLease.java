package io.locket.aop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.locket.JobContext;
import io.locket.lease.Lease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A lease with several users: the body that took it, nested calls, an open transaction, a
 * result that is still to come. Released by the last of them, from whichever thread. A
 * failing release is logged and goes no further, so that it never hides the outcome of
 * the body.
 */
final class SharedLease {

	private static final Log logger = LogFactory.getLog(SharedLease.class);

	private final Lease lease;

	private final boolean period;

	private final JobContext context;

	private final Runnable onUnused;

	private final Map<Object, Runnable> lossActions = new LinkedHashMap<>();

	private boolean listening;

	private int users = 1;

	SharedLease(Lease lease, boolean period, RunningCalls calls) {
		this(lease, period, new LeaseJobContext(lease), () -> giveBack(lease, calls));
		calls.begin();
	}

	/**
	 * Create a lease that its last user does not give back.
	 * @param lease the lease
	 * @param period whether it is the claim of a period
	 * @param context what its bodies know of it
	 * @param onUnused is run when the last user has gone
	 */
	SharedLease(Lease lease, boolean period, JobContext context, Runnable onUnused) {
		this.lease = lease;
		this.period = period;
		this.context = context;
		this.onUnused = onUnused;
	}

	Lease lease() {
		return this.lease;
	}

	JobContext context() {
		return this.context;
	}

	/**
	 * Return whether this is the claim of a period, which a later call never inherits.
	 * @return {@code true} for a claim
	 */
	boolean isPeriod() {
		return this.period;
	}

	/**
	 * Become a user, unless the lease was released or lost.
	 * @return {@code true} if the caller has to release
	 */
	synchronized boolean retain() {
		if (this.users == 0 || !this.lease.isHeld()) {
			return false;
		}
		this.users++;
		return true;
	}

	/**
	 * Run an action once when the lease is lost, at once if it is lost already.
	 * @param action the action, which must not block
	 * @return takes the action back
	 */
	Runnable onLost(Runnable action) {
		Object token = new Object();
		boolean first;
		synchronized (this.lossActions) {
			this.lossActions.put(token, action);
			first = !this.listening;
			this.listening = true;
		}
		if (first || this.lease.lossCause() != null) {
			this.lease.onLost(this::lost);
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
			catch (RuntimeException ex) {
				logger.warn("An action on the loss of the lease of job " + this.lease.key()
						+ " failed: mend it. The others are told", ex);
			}
		}
	}

	/**
	 * Stop being a user.
	 */
	void release() {
		if (isLast()) {
			this.onUnused.run();
		}
	}

	private static void giveBack(Lease lease, RunningCalls calls) {
		try {
			lease.close();
		}
		catch (RuntimeException ex) {
			logger.warn("The lease of job " + lease.key()
					+ " could not be released; it ends by itself, and keeps its key until"
					+ " then. Look at Redis if this is said again", ex);
		}
		finally {
			calls.end();
		}
	}

	private synchronized boolean isLast() {
		this.users--;
		return this.users == 0;
	}

}
