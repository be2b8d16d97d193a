package io.locket.test;

import org.jspecify.annotations.Nullable;

/**
 * Collector of the failures of several actions: the first failure, with the others
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
	 * Throws the first failure, if there is one.
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
