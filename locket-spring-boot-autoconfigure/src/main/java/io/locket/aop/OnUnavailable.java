package io.locket.aop;

/**
 * What a direct call does when the lease store gives no answer.
 */
public enum OnUnavailable {

	/**
	 * The call fails with a {@link io.locket.LeaseUnavailableException}.
	 */
	FAIL,

	/**
	 * The call is skipped as if its key were taken; it fails if its return type has no
	 * value that says so.
	 */
	SKIP,

	/**
	 * The body runs unguarded. Without a {@link io.locket.JobContext}, and with a warning
	 * in the log.
	 */
	RUN

}
