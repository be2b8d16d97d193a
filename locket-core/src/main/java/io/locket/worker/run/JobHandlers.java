package io.locket.worker.run;

import java.util.Optional;

/**
 * Registry of the handlers of queued jobs. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface JobHandlers {

	/**
	 * Finds the handler of a job.
	 * @param job the name of the job, or one of its aliases
	 * @return the handler, or empty if this process cannot run it
	 */
	Optional<JobHandler> find(String job);

}
