package io.locket.observer;

import org.jspecify.annotations.Nullable;

/**
 * Observation of a run, created by a {@link JobObserver}.
 */
public interface RunObservation {

	/**
	 * Observation that does nothing.
	 */
	RunObservation NONE = new RunObservation() {
	};

	/**
	 * Detaches the observation from the thread on which it began, because the run
	 * continues elsewhere or has ended. Called once, on that thread.
	 */
	default void leave() {
	}

	/**
	 * Ends the observation. Called once, on any thread, before or after {@link #leave()}.
	 * @param outcome the outcome of the body
	 * @param failure the failure of the body, or {@code null}
	 */
	default void end(RunOutcome outcome, @Nullable Throwable failure) {
	}

}
