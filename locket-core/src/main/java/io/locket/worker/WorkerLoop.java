package io.locket.worker;

/**
 * Loop of one thread of a worker.
 *
 * @param calls the calls of the queue
 * @param stop the signal that ends it
 * @param watch the watch of the thread
 */
record WorkerLoop(QueueCalls calls, WorkerStop stop, ThreadWatch watch) {

	/**
	 * Logs an unexpected failure. Does not throw if that fails, too, as it may without
	 * memory, because the thread would end.
	 */
	static void log(Runnable logging) {
		try {
			logging.run();
		}
		catch (RuntimeException | Error ex) {
			// Nothing can be logged.
		}
	}

	/**
	 * Runs the loop on this thread, and reports its end to the watch.
	 */
	void run(Runnable work) {
		try {
			work.run();
		}
		finally {
			this.watch.ends();
		}
	}

}
