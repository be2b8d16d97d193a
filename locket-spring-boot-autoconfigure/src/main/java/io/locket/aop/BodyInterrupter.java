package io.locket.aop;

/**
 * Interrupts the thread that runs a body, and never one whose body has ended. The
 * interrupt flag that it set is cleared when the body ends; a flag that was set by others
 * before stays.
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
	 * The body has ended. Called on its thread.
	 */
	synchronized void end() {
		this.running = false;
		if (this.flagged) {
			Thread.interrupted();
		}
	}

}
