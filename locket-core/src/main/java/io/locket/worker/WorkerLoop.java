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
