package io.locket.aop;

import io.locket.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs bodies on the calling thread, inside their context, and interrupts them if their
 * lease is lost and the settings say so.
 */
final class BodyRunner {

	private final OnLost onLost;

	BodyRunner(OnLost onLost) {
		this.onLost = onLost;
	}

	boolean interrupts() {
		return this.onLost == OnLost.INTERRUPT;
	}

	/**
	 * Run a body inside the context of its lease.
	 * @param body the body
	 * @param lease its lease
	 * @return what it returns
	 * @throws Throwable what it throws
	 */
	@Nullable Object run(Body body, SharedLease lease) throws Throwable {
		BodyInterrupter interrupter = new BodyInterrupter();
		JobContext previous = JobContext.enter(lease.context());
		Runnable silence = () -> {
		};
		try {
			if (interrupts()) {
				silence = lease.onLost(interrupter::interrupt);
			}
			return body.run();
		}
		finally {
			silence.run();
			interrupter.end();
			JobContext.enter(previous);
		}
	}

	/**
	 * Run a body without a context, also if an outer body has one.
	 * @param body the body
	 * @return what it returns
	 * @throws Throwable what it throws
	 */
	@Nullable Object runUnguarded(Body body) throws Throwable {
		JobContext previous = JobContext.enter(null);
		try {
			return body.run();
		}
		finally {
			JobContext.enter(previous);
		}
	}

	/**
	 * A body.
	 */
	@FunctionalInterface
	interface Body {

		@Nullable Object run() throws Throwable;

	}

}
