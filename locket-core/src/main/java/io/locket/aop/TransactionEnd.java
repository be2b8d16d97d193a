package io.locket.aop;

import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.aop.call.SharedLease;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * End of the caller's transaction. The writes of a body become visible to others only
 * then, so its key must stay held until then.
 */
final class TransactionEnd implements TransactionSynchronization {

	private final SharedLease lease;

	private final Runnable action;

	private final AtomicBoolean done = new AtomicBoolean();

	private TransactionEnd(SharedLease lease, Runnable action) {
		this.lease = lease;
		this.action = action;
	}

	/**
	 * Runs an action after the caller's transaction has completed, or at once if there is
	 * none.
	 * @param lease the lease that the action concerns
	 * @param action the action, which must not throw
	 */
	static void afterwards(SharedLease lease, Runnable action) {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(lease, action));
		}
		else {
			action.run();
		}
	}

	/**
	 * Releases a lease after the caller's transaction has completed, or a claim at once.
	 * @param lease the lease
	 * @param leave leaves it on this thread; called before the release
	 */
	static void release(SharedLease lease, Runnable leave) {
		Runnable end = () -> {
			leave.run();
			lease.release();
		};
		if (lease.isClaim()) {
			end.run();
		}
		else {
			afterwards(lease, end);
		}
	}

	/**
	 * Runs the actions for a lease now that the caller's open transaction would run,
	 * because the caller waits for them.
	 * @param lease the lease
	 */
	static void runNow(SharedLease lease) {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
				if (known instanceof TransactionEnd end && end.lease == lease) {
					end.run();
				}
			}
		}
	}

	private void run() {
		if (this.done.compareAndSet(false, true)) {
			this.action.run();
		}
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void afterCompletion(int status) {
		run();
	}

}
