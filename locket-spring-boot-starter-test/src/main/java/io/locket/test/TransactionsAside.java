package io.locket.test;

import java.util.HashMap;
import java.util.Map;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs actions outside a transaction that has ended but is still bound to the thread.
 * While its callbacks run, a new transaction would join the ended one and would never be
 * committed. Its resources are unbound during the action.
 */
final class TransactionsAside {

	private TransactionsAside() {
	}

	/**
	 * Runs an action without the ended transaction, if there is one. An action joins a
	 * transaction that is still open.
	 * @param action the action
	 */
	static void run(Runnable action) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| TransactionSynchronizationManager.isSynchronizationActive()) {
			action.run();
			return;
		}
		Map<Object, Object> resources = new HashMap<>(TransactionSynchronizationManager.getResourceMap());
		resources.keySet().forEach(TransactionSynchronizationManager::unbindResource);
		TransactionSynchronizationManager.setActualTransactionActive(false);
		try {
			action.run();
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(true);
			resources.forEach(TransactionSynchronizationManager::bindResource);
		}
	}

}
