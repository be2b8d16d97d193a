package io.locket.worker;

import java.util.Optional;

/**
 * What can run queued jobs here. Thread-safe.
 */
@FunctionalInterface
public interface JobHandlers {

	/**
	 * Find what runs a job.
	 * @param job the name of the job, or one of its aliases
	 * @return the handler, or empty if this process cannot run it
	 */
	Optional<JobHandler> find(String job);

}
