package io.locket.worker;

import org.jspecify.annotations.Nullable;

/**
 * A body that runs on a thread. It is interrupted only while it runs, and what is left of
 * an interrupt is cleared at its end: the thread belongs to the worker.
 */
final class RunningBody {

	private final Thread thread = Thread.currentThread();

	private final String description;

	private boolean running = true;

	private @Nullable Interruption interruption;

	RunningBody(String description) {
		this.description = description;
	}

	/**
	 * Interrupt the body, unless it has ended.
	 * @param reason why
	 */
	synchronized void interrupt(Interruption reason) {
		if (this.running) {
			this.interruption = (this.interruption != null) ? this.interruption : reason;
			this.thread.interrupt();
		}
	}

	/**
	 * The body has ended. Called on its thread.
	 * @return why it was first interrupted by Locket, or {@code null} if it was not
	 */
	synchronized @Nullable Interruption end() {
		this.running = false;
		Thread.interrupted();
		return this.interruption;
	}

	synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public String toString() {
		return this.description + " on thread " + this.thread.getName();
	}

	/**
	 * Why a body is interrupted.
	 */
	enum Interruption {

		/**
		 * Its lease is lost.
		 */
		LOST,

		/**
		 * It takes too long.
		 */
		TIMEOUT,

		/**
		 * The worker stops.
		 */
		SHUTDOWN

	}

}
