package io.locket.test;

/**
 * Modes for the runs of enqueued jobs in a test.
 */
public enum LocketTestMode {

	/**
	 * Jobs run when the test calls {@link LocketTester#drain}.
	 */
	QUEUED,

	/**
	 * Jobs run at once, on the thread that enqueues them.
	 */
	INLINE

}
