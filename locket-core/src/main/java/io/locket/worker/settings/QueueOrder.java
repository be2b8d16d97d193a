package io.locket.worker.settings;

/**
 * Order in which a group of workers requests jobs from its queues.
 */
public enum QueueOrder {

	/**
	 * The order of the list. A queue is served when those before it have nothing to run.
	 */
	STRICT,

	/**
	 * Weighted round robin.
	 */
	WEIGHTED

}
