package io.locket.aop;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * End of the caller's transaction. The writes of a body become visible to others only
 * then, so its key must stay held until then.
 */
final class TransactionEnd implements TransactionSynchronization {

	private final Runnable action;

	private TransactionEnd(Runnable action) {
		this.action = action;
	}

	/**
	 * Runs an action after the caller's transaction has completed, or at once if there is
	 * none.
	 * @param action the action, which must not throw
	 */
	static void afterwards(Runnable action) {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionEnd(action));
		}
		else {
			action.run();
		}
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void afterCompletion(int status) {
		this.action.run();
	}

}
