package io.locket.worker.run;

import java.time.Duration;

import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import org.jspecify.annotations.Nullable;

/**
 * Handler that runs the jobs of a name. Implementations must be thread-safe.
 */
public interface JobHandler {

	/**
	 * Returns the name of the job.
	 * @return the name
	 */
	String job();

	/**
	 * Returns whether arguments are kept out of logs and stored failures.
	 * @return {@code true} to keep them out
	 */
	default boolean maskArguments() {
		return false;
	}

	/**
	 * Returns the delay after the first failed attempt.
	 * @return the delay, or {@code null} for the common default
	 */
	default @Nullable Duration backoff() {
		return null;
	}

	/**
	 * Returns the maximum time of a body.
	 * @return the time, or {@code null} for no limit
	 */
	default @Nullable Duration timeout() {
		return null;
	}

	/**
	 * Returns whether a failure is final, so the job is not retried.
	 * @param failure the failure of an attempt
	 * @return {@code true} if the job is dead
	 */
	default boolean isFinal(Throwable failure) {
		return false;
	}

	/**
	 * Reads the arguments of a job that other code runs.
	 * @param job the job
	 * @return its arguments, as its method accepts them
	 * @throws UnreadableArgumentsException if they do not match the method
	 * @throws UnsupportedOperationException if this handler does not provide them
	 */
	default @Nullable Object[] arguments(JobRecord job) {
		throw new UnsupportedOperationException("The handler of job '" + job() + "' does not provide arguments");
	}

	/**
	 * Reads the arguments of a job, without running its body.
	 * @param job the job
	 * @return its body
	 * @throws UnreadableArgumentsException if the arguments do not match the method
	 */
	Body bind(JobRecord job);

	/**
	 * Body of a job with its arguments.
	 */
	@FunctionalInterface
	interface Body {

		/**
		 * Runs the body.
		 * @return its result; for a future or a publisher, the job ends when it completes
		 * @throws Throwable the failure of the body
		 */
		@Nullable Object run() throws Throwable;

	}

}
