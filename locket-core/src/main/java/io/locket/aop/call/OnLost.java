package io.locket.aop.call;

/**
 * Effect of the loss of a lease on a body.
 */
public enum OnLost {

	/**
	 * The body continues; its {@link io.locket.JobContext} reports the loss.
	 */
	NOTIFY,

	/**
	 * The thread that runs the method is interrupted. A {@code CompletionStage},
	 * {@code Mono} or {@code Flux} that it has returned is cancelled and fails with a
	 * {@link io.locket.LeaseLostException}.
	 */
	INTERRUPT

}
