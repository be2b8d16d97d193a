package io.locket.schedule;

/**
 * Misfire policy of a schedule, for missed firings within its catch-up time.
 */
public enum Misfire {

	/**
	 * Missed firings are dropped.
	 */
	SKIP,

	/**
	 * The last missed firing is made up for. The default.
	 */
	LATEST,

	/**
	 * Each missed firing is made up for, in order.
	 */
	ALL

}
