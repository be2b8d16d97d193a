package io.locket.worker;

/**
 * On which threads a group of workers runs its bodies.
 */
public enum WorkerThreads {

	/**
	 * Threads of the operating system.
	 */
	PLATFORM,

	/**
	 * Virtual threads, which need Java 21.
	 */
	VIRTUAL

}
