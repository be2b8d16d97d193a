package io.locket.aop.call;

/**
 * Interrupter of the thread that runs a body, until the body ends. The interrupt flag
 * that it set is cleared at the end of the body. A flag that was set before stays.
 */
final class BodyInterrupter {

	private final Thread thread = Thread.currentThread();

	private boolean running = true;

	private boolean flagged;

	synchronized void interrupt() {
		if (this.running && !this.thread.isInterrupted()) {
			this.flagged = true;
			this.thread.interrupt();
		}
	}

	/**
	 * Ends the body. Called on its thread.
	 */
	synchronized void end() {
		this.running = false;
		if (this.flagged) {
			Thread.interrupted();
		}
	}

}
