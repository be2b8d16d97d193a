package io.locket.aop.call;

import org.jspecify.annotations.Nullable;

/**
 * Interrupter of the thread that runs a body, until the body ends. The interrupt flag
 * that it set is cleared at the end of the body. A flag that was set before stays.
 * <p>
 * Bodies may be nested on a thread. An inner body may clear the flag that was meant for
 * an outer one, so the flag is then set again when the inner body ends.
 */
public final class BodyInterrupter {

	private static final ThreadLocal<BodyInterrupter> INNERMOST = new ThreadLocal<>();

	private final Thread thread = Thread.currentThread();

	private final @Nullable BodyInterrupter outer;

	private boolean running = true;

	/**
	 * Whether this has set the flag.
	 */
	private boolean flagged;

	/**
	 * Whether this was called since the last inner body began.
	 */
	private boolean called;

	private BodyInterrupter(@Nullable BodyInterrupter outer) {
		this.outer = outer;
	}

	/**
	 * Begins a body on the current thread.
	 * @return its interrupter
	 */
	public static BodyInterrupter begin() {
		BodyInterrupter outer = INNERMOST.get();
		if (outer != null) {
			outer.beginInner();
		}
		BodyInterrupter begun = new BodyInterrupter(outer);
		INNERMOST.set(begun);
		return begun;
	}

	private synchronized void beginInner() {
		this.called = false;
	}

	/**
	 * Interrupts the body, unless it has ended. May be called on any thread.
	 */
	public synchronized void interrupt() {
		if (this.running) {
			this.called = true;
			setFlag();
		}
	}

	private void setFlag() {
		if (!this.thread.isInterrupted()) {
			this.flagged = true;
			this.thread.interrupt();
		}
	}

	/**
	 * Ends the body. Called on its thread, after the ends of all inner bodies.
	 */
	public void end() {
		clearFlag();
		if (this.outer == null) {
			INNERMOST.remove();
			return;
		}
		INNERMOST.set(this.outer);
		for (BodyInterrupter next = this.outer; next != null; next = next.outer) {
			next.endInner();
		}
	}

	private synchronized void clearFlag() {
		this.running = false;
		if (this.flagged) {
			Thread.interrupted();
		}
	}

	private synchronized void endInner() {
		if (this.called) {
			setFlag();
		}
	}

}
