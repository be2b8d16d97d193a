package io.locket.aop.call;

/**
 * Behavior of a direct call when the lease store does not reply.
 */
public enum OnUnavailable {

	/**
	 * The call fails with a {@link io.locket.LeaseUnavailableException}.
	 */
	FAIL,

	/**
	 * The call is skipped as if its key were held. It fails if its return type has no
	 * empty value.
	 */
	SKIP,

	/**
	 * The body runs unguarded, without a {@link io.locket.JobContext} and with a warning
	 * in the log.
	 */
	RUN

}
