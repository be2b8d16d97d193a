package io.locket.worker;

/**
 * In which order a group of workers asks its queues.
 */
public enum QueueOrder {

	/**
	 * In the order of the list: a queue is served when those before it have nothing to
	 * run.
	 */
	STRICT,

	/**
	 * In turns, by their weights.
	 */
	WEIGHTED

}
