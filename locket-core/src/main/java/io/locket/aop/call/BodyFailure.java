package io.locket.aop.call;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import io.locket.observer.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Failure of a body, and its outcome for observers.
 */
public final class BodyFailure {

	private BodyFailure() {
	}

	/**
	 * Returns the cause of a body's failure, without the wrappers of its stages.
	 * @param failure the failure of the body or of its stage, or {@code null} if it
	 * succeeded
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
	 * Returns the outcome of a body. A body that was cancelled or stopped has not failed.
	 * @param cause the cause of its failure, or {@code null} if it succeeded
	 * @param stopped whether it was stopped
	 * @return the outcome
	 */
	public static RunOutcome outcome(@Nullable Throwable cause, boolean stopped) {
		if (cause == null) {
			return RunOutcome.SUCCEEDED;
		}
		return (stopped || cause instanceof CancellationException) ? RunOutcome.INTERRUPTED : RunOutcome.FAILED;
	}

}
