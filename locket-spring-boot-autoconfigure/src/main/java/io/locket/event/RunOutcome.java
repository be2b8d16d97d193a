package io.locket.event;

/**
 * How the body of a run ended, as its process saw it.
 */
public enum RunOutcome {

	/**
	 * It returned.
	 */
	SUCCEEDED,

	/**
	 * It failed, or took longer than its timeout.
	 */
	FAILED,

	/**
	 * It was interrupted or cancelled for reasons that are not its own: its lease was
	 * lost, the process stops, or nobody wants its result any more.
	 */
	INTERRUPTED

}
