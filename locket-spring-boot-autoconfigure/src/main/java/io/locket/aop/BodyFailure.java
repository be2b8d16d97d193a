package io.locket.aop;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import io.locket.event.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a body means to those who observe it.
 */
public final class BodyFailure {

	private BodyFailure() {
	}

	/**
	 * Return what a body failed with, without what its stages have put around it.
	 * @param failure how the body or its stage ended, or {@code null} if it succeeded
	 * @return the cause, or {@code null} if it succeeded
	 */
	public static @Nullable Throwable causeOf(@Nullable Throwable failure) {
		Throwable cause = failure;
		while (cause instanceof CompletionException && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause;
	}

	/**
	 * Return how a body ended. One that was cancelled or told to stop has not failed.
	 * @param cause what it failed with, or {@code null} if it succeeded
	 * @param stopped whether it was told to stop
	 * @return the outcome
	 */
	public static RunOutcome outcome(@Nullable Throwable cause, boolean stopped) {
		if (cause == null) {
			return RunOutcome.SUCCEEDED;
		}
		return (stopped || cause instanceof CancellationException) ? RunOutcome.INTERRUPTED : RunOutcome.FAILED;
	}

}
