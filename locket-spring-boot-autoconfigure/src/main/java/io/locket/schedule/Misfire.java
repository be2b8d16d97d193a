package io.locket.schedule;

/**
 * What becomes of the firings of a schedule that were missed, as far back as it catches
 * up.
 */
public enum Misfire {

	/**
	 * They are dropped.
	 */
	SKIP,

	/**
	 * The last one is made up for. The default.
	 */
	LATEST,

	/**
	 * Each is made up for, in order.
	 */
	ALL

}
