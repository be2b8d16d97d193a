package io.locket.observer;

/**
 * Outcome of the body of a run, as seen by its process.
 */
public enum RunOutcome {

	/**
	 * It returned.
	 */
	SUCCEEDED,

	/**
	 * It failed or exceeded its timeout.
	 */
	FAILED,

	/**
	 * It was interrupted or cancelled from outside: its lease was lost, the process
	 * stops, or its result is no longer wanted.
	 */
	INTERRUPTED

}
