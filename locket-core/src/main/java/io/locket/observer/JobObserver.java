package io.locket.observer;

/**
 * Observer around the code that enqueues jobs and the code that runs them, on the thread
 * of that code. It may carry a trace from the enqueue to the run, and attach state to the
 * thread while a body runs. Beans of this type are detected automatically. An observer
 * must be thread-safe and must not block. Its exceptions are logged and not propagated.
 */
public interface JobObserver {

	/**
	 * Begins the observation of a call on this thread that is about to enqueue jobs.
	 * @param call the call
	 * @return the observation of the call
	 */
	default EnqueueObservation enqueuing(EnqueueCall call) {
		return EnqueueObservation.NONE;
	}

	/**
	 * Begins the observation of a guarded body that is about to run on this thread.
	 * @param run the run
	 * @return the observation of the run
	 */
	default RunObservation running(JobRun run) {
		return RunObservation.NONE;
	}

}
