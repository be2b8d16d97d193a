package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Signals without a method in Java, sent by the {@code kill} command of the shell.
 */
enum Signal {

	/**
	 * Suspends the process.
	 */
	STOP,

	/**
	 * Resumes the process.
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
