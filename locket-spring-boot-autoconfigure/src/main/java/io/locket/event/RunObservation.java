package io.locket.event;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link JobObserver} makes of a run.
 */
public interface RunObservation {

	/**
	 * Does nothing.
	 */
	RunObservation NONE = new RunObservation() {
	};

	/**
	 * The thread on which the run began goes on to other things. What it began may go on
	 * elsewhere. Told once, on that thread.
	 */
	default void leave() {
	}

	/**
	 * The run has ended. Told once, on any thread, before or after {@link #leave()}.
	 * @param outcome how
	 * @param failure what the body failed with, or {@code null}
	 */
	default void end(RunOutcome outcome, @Nullable Throwable failure) {
	}

}
