package io.locket.worker.settings;

/**
 * Kind of threads on which a group of workers runs jobs.
 */
public enum WorkerThreads {

	/**
	 * Platform threads.
	 */
	PLATFORM,

	/**
	 * Virtual threads, which need Java 21.
	 */
	VIRTUAL

}
