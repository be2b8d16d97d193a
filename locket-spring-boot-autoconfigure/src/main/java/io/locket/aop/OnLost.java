package io.locket.aop;

/**
 * What the loss of a lease means to a body.
 */
public enum OnLost {

	/**
	 * The body goes on; its {@link io.locket.JobContext} tells it.
	 */
	NOTIFY,

	/**
	 * The thread that runs the body is interrupted; a {@code CompletionStage},
	 * {@code Mono} or {@code Flux} is cancelled and fails with a
	 * {@link io.locket.LeaseLostException}.
	 */
	INTERRUPT

}
