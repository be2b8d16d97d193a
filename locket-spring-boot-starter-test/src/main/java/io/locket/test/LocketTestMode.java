package io.locket.test;

/**
 * When enqueued jobs run in a test.
 */
public enum LocketTestMode {

	/**
	 * When the test says so, by {@link LocketTester#drain}.
	 */
	QUEUED,

	/**
	 * At once, on the thread that enqueues them.
	 */
	INLINE

}
