package io.locket.event;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link JobObserver} makes of a call that enqueues.
 */
public interface EnqueueObservation {

	/**
	 * Does nothing.
	 */
	EnqueueObservation NONE = new EnqueueObservation() {
	};

	/**
	 * Return what is to be stored with the jobs, for {@link JobRun#trace()} of their
	 * runs. Asked before they are sent.
	 * @return a short text, or {@code null} for nothing
	 */
	default @Nullable String trace() {
		return null;
	}

	/**
	 * The call has ended, on the thread on which it began. A job that waits for a commit
	 * has not been sent yet.
	 * @param outcome what became of the jobs, in one word: {@code accepted},
	 * {@code duplicate}, {@code replaced}, {@code deferred}, {@code mixed} or
	 * {@code failed}
	 * @param failure what the call throws, or {@code null}
	 */
	default void end(String outcome, @Nullable Throwable failure) {
	}

}
