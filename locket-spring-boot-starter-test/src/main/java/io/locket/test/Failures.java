package io.locket.test;

import org.jspecify.annotations.Nullable;

/**
 * The failures of actions that all are to run: the first one, with those after it
 * suppressed.
 */
final class Failures {

	private @Nullable Throwable first;

	void collect(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			if (this.first == null) {
				this.first = ex;
			}
			else if (ex != this.first) {
				this.first.addSuppressed(ex);
			}
		}
	}

	/**
	 * Throw the first failure, if there is one.
	 */
	void raise() {
		if (this.first instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (this.first instanceof Error error) {
			throw error;
		}
	}

}
