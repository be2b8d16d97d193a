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
	 * The thread that runs the body is interrupted; a {@code CompletionStage},
	 * {@code Mono} or {@code Flux} is cancelled and fails with a
	 * {@link io.locket.LeaseLostException}.
	 */
	INTERRUPT

}
