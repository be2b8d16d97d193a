package io.locket.worker;

import java.time.Duration;

import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of a name. Thread-safe.
 */
public interface JobHandler {

	/**
	 * Return the name of the job.
	 * @return the name
	 */
	String job();

	/**
	 * Return whether arguments are kept out of logs and of what is stored of a failure.
	 * @return {@code true} to keep them out
	 */
	default boolean maskArguments() {
		return false;
	}

	/**
	 * Return the delay after the first failed attempt.
	 * @return the delay, or {@code null} for the one that is set for all jobs
	 */
	default @Nullable Duration backoff() {
		return null;
	}

	/**
	 * Return how long a body may take.
	 * @return the time, or {@code null} for as long as it likes
	 */
	default @Nullable Duration timeout() {
		return null;
	}

	/**
	 * Return whether no other attempt would fare better after a failure.
	 * @param failure what an attempt failed with
	 * @return {@code true} if the job is dead
	 */
	default boolean isFinal(Throwable failure) {
		return false;
	}

	/**
	 * Read the arguments of a job that somebody else runs.
	 * @param job the job
	 * @return its arguments, as its method takes them
	 * @throws UnreadableArgumentsException if they do not fit the method
	 * @throws UnsupportedOperationException if this handler does not tell them
	 */
	default @Nullable Object[] arguments(JobRecord job) {
		throw new UnsupportedOperationException("The handler of job '" + job() + "' does not tell arguments");
	}

	/**
	 * Read the arguments of a job. Its body does not run yet.
	 * @param job the job
	 * @return its body
	 * @throws UnreadableArgumentsException if the arguments do not fit the method
	 */
	Body bind(JobRecord job);

	/**
	 * The body of a job with its arguments.
	 */
	@FunctionalInterface
	interface Body {

		/**
		 * Run the body.
		 * @return what it returns; the job ends with a future or a publisher
		 * @throws Throwable what it throws
		 */
		@Nullable Object run() throws Throwable;

	}

}
