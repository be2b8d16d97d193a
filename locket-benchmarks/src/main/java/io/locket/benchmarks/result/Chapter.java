package io.locket.benchmarks.result;

/**
 * Chapters of the page of results that a table can belong to.
 */
public enum Chapter {

	/**
	 * Time, memory and commands of Redis.
	 */
	REDIS,

	/**
	 * Ratios between variants that took turns.
	 */
	RATIOS,

	/**
	 * Figures that depend on the machine.
	 */
	ABSOLUTE

}
