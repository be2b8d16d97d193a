package io.locket.aop;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * End of the reactive transaction of a subscription. The writes of a body become visible
 * to others only then, so its key must stay held until then.
 */
final class ReactiveTransactionEnd implements TransactionSynchronization, Ordered {

	private final Mono<Void> action;

	private ReactiveTransactionEnd(Mono<Void> action) {
		this.action = action;
	}

	/**
	 * Subscribes to an action after the subscriber's transaction has completed, or at
	 * once if there is none.
	 * @param action the action, which must not fail
	 * @return ends when the action has ended or is left to the transaction
	 */
	static Mono<Void> afterwards(Mono<Void> action) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter(TransactionSynchronizationManager::isSynchronizationActive)
			.doOnNext((transaction) -> transaction.registerSynchronization(new ReactiveTransactionEnd(action)))
			.hasElement()
			.onErrorResume(NoTransactionException.class, (ex) -> Mono.just(false))
			.flatMap((registered) -> registered ? Mono.empty() : action);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> afterCompletion(int status) {
		return this.action;
	}

}
