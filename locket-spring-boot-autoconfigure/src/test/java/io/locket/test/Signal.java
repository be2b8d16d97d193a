package io.locket.test;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Signals that Java has no method for, sent by the shell's own {@code kill}.
 */
enum Signal {

	/**
	 * Stand still.
	 */
	STOP,

	/**
	 * Go on.
	 */
	CONT;

	void send(Process process) {
		try {
			int status = new ProcessBuilder("sh", "-c", "kill -" + name() + " " + process.pid()).inheritIO()
				.start()
				.waitFor();
			if (status != 0) {
				throw new IllegalStateException("No " + name() + " for process " + process.pid());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
