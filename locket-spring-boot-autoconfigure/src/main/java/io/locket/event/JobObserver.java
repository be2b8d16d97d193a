package io.locket.event;

/**
 * Stands around what enqueues jobs and what runs them, on the thread that does it: it may
 * carry something from the one to the other, and attach something to the thread while a
 * body runs. A bean of this type is found by itself. It must be thread-safe and must not
 * block. What it throws is logged and goes no further.
 */
public interface JobObserver {

	/**
	 * A call on this thread is about to enqueue jobs.
	 * @param call the call
	 * @return is told of its end
	 */
	default EnqueueObservation enqueuing(EnqueueCall call) {
		return EnqueueObservation.NONE;
	}

	/**
	 * A guarded body is about to run on this thread.
	 * @param run the run
	 * @return is told of its end
	 */
	default RunObservation running(JobRun run) {
		return RunObservation.NONE;
	}

}
