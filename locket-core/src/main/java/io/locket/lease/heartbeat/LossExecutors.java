package io.locket.lease.heartbeat;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * Executors for the loss of a lease. None of them waits for another.
 *
 * @param interrupts the executor of Locket's own interrupts, which never block
 * @param actions the executor of the application's actions; those of a lease run in order
 * @param listeners the executor of events, whose listeners may block
 */
record LossExecutors(Executor interrupts, Executor actions, Executor listeners) {

	/**
	 * Returns executors that are all the same one.
	 */
	static LossExecutors of(Executor executor) {
		return new LossExecutors(executor, executor, executor);
	}

	/**
	 * Runs actions of one lease. A holder that is not notified would continue without its
	 * lease.
	 * @param actions the actions, which must not throw
	 */
	void run(List<Runnable> actions) {
		List<Runnable> own = actions.stream().filter(LossInterrupt.class::isInstance).toList();
		List<Runnable> others = actions.stream().filter((action) -> !(action instanceof LossInterrupt)).toList();
		if (!own.isEmpty()) {
			FallbackExecution.execute(this.interrupts, () -> own.forEach(Runnable::run));
		}
		if (!others.isEmpty()) {
			FallbackExecution.execute(this.actions, () -> others.forEach(Runnable::run));
		}
	}

	/**
	 * Publishes the event of a loss.
	 * @param publishing the task that publishes it, which must not throw
	 */
	void report(Runnable publishing) {
		FallbackExecution.execute(this.listeners, publishing);
	}

}
