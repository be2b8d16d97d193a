package io.locket.test;

import java.util.HashMap;
import java.util.Map;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs what is to have transactions of its own on a thread whose transaction has ended
 * and is not cleared away yet: while its callbacks run, whoever begins a transaction
 * would take part in the one that has ended, and whatever it does would not be committed.
 */
final class TransactionsAside {

	private TransactionsAside() {
	}

	/**
	 * Run an action without the transaction that has ended, if there is one. One that is
	 * open stays: the action takes part in it.
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
