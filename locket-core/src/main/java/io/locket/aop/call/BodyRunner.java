package io.locket.aop.call;

import io.locket.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Runner of bodies on the calling thread, inside their context. It interrupts a body
 * whose lease is lost, if {@link OnLost} requires it.
 */
public final class BodyRunner {

	private final OnLost onLost;

	public BodyRunner(OnLost onLost) {
		this.onLost = onLost;
	}

	public boolean interrupts() {
		return this.onLost == OnLost.INTERRUPT;
	}

	/**
	 * Runs a body inside the context of its lease.
	 * @param body the body
	 * @param lease its lease
	 * @return the result of the body
	 * @throws Throwable the failure of the body
	 */
	public @Nullable Object run(Body body, SharedLease lease) throws Throwable {
		BodyInterrupter interrupter = BodyInterrupter.begin();
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
	 * Runs a body without a context, even if an outer body has one.
	 * @param body the body
	 * @return the result of the body
	 * @throws Throwable the failure of the body
	 */
	public @Nullable Object runUnguarded(Body body) throws Throwable {
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
	public interface Body {

		@Nullable Object run() throws Throwable;

	}

}
