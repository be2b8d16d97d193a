package io.locket.observer;

import org.jspecify.annotations.Nullable;

/**
 * Observation of a call that enqueues jobs, created by a {@link JobObserver}.
 */
public interface EnqueueObservation {

	/**
	 * Observation that does nothing.
	 */
	EnqueueObservation NONE = new EnqueueObservation() {
	};

	/**
	 * Returns a trace to store with the jobs, for {@link JobRun#trace()} of their runs.
	 * Called before the jobs are sent.
	 * @return a short text, or {@code null} for none
	 */
	default @Nullable String trace() {
		return null;
	}

	/**
	 * Ends the observation, on the thread on which it began. A job that waits for a
	 * commit has not been sent yet.
	 * @param outcome the outcome, in one word: {@code accepted}, {@code duplicate},
	 * {@code replaced}, {@code deferred}, {@code refused}, {@code mixed} or
	 * {@code failed}
	 * @param failure the exception of the call, or {@code null}
	 */
	default void end(String outcome, @Nullable Throwable failure) {
	}

}
