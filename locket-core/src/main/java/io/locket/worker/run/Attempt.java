package io.locket.worker.run;

import java.time.Duration;
import java.util.Objects;

import io.locket.DuplicateJobException;
import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.log.ErrorText;
import io.locket.queue.JobRecord;
import io.locket.queue.UnreadableArgumentsException;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.settings.RetrySettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Attempt of a job, which determines the end of a failed run.
 *
 * @param job the job
 * @param handler its handler
 * @param retry the retry settings
 * @param random a random number from 0 to 1
 */
public record Attempt(ReservedJob job, JobHandler handler, RetrySettings retry, double random) {

	private static final Log logger = LogFactory.getLog(Attempt.class);

	public Attempt {
		Objects.requireNonNull(handler, "'handler' must not be null");
	}

	/**
	 * Returns the end of a failed attempt.
	 * @param failure the failure
	 * @return the end
	 */
	public RunEnd failed(Throwable failure) {
		return failed(failure, true);
	}

	/**
	 * Returns the end of an attempt whose key is held, which counts as a failure. It is
	 * logged without a stack trace, because no body ran.
	 * @return the end
	 * @throws NullPointerException if the job has no {@linkplain ReservedJob#conflict()
	 * conflict}
	 */
	public RunEnd refused() {
		LeaseHolder holder = Objects.requireNonNull(this.job.conflict(), "The job must have a conflict");
		JobKey key = Objects.requireNonNull(this.job.record().key(), "A job without a key has no conflict");
		return failed(new DuplicateJobException(key, holder, this.job.conflictFor()), false);
	}

	/**
	 * Returns the end of a job after an unexpected failure outside its body. It is
	 * repeated as after a failed attempt, and its error has no arguments.
	 * @param job the job
	 * @param retry the retry settings
	 * @param random a random number from 0 to 1
	 * @param failure the failure
	 * @return the end
	 */
	public static RunEnd failedUnforeseen(ReservedJob job, RetrySettings retry, double random, Throwable failure) {
		return RunEnd.retry(job, retry.delay(null, job.record().attempt(), random), ErrorText.of(failure, true))
			.withStackTrace(StackTraceText.of(failure, true));
	}

	private RunEnd failed(Throwable failure, boolean trace) {
		boolean masked = this.handler.maskArguments();
		String error = ErrorText.of(failure, masked);
		String stackTrace = trace ? StackTraceText.of(failure, masked) : null;
		if (this.handler.isFinal(failure)) {
			return dead(error, failure, trace).withStackTrace(stackTrace);
		}
		JobRecord record = this.job.record();
		Duration delay = this.retry.delay(this.handler.backoff(), record.attempt(), this.random);
		log(((record.attempt() < record.retries())
				? "and is repeated in " + delay.toMillis() + " ms, unless it was cancelled: "
				: "for the last time. Requeue it when the cause is fixed: ") + error, failure, trace);
		return RunEnd.retry(this.job, delay, error).withStackTrace(stackTrace);
	}

	/**
	 * Returns the end of an attempt whose arguments cannot be read. Another attempt could
	 * not read them either.
	 * @param failure the failure
	 * @return the end
	 */
	public RunEnd unreadable(UnreadableArgumentsException failure) {
		boolean masked = this.handler.maskArguments();
		return dead(ErrorText.of(failure, masked), failure, true).withStackTrace(StackTraceText.of(failure, masked));
	}

	private RunEnd dead(String error, Throwable failure, boolean trace) {
		log("and is not repeated. Requeue it when the cause is fixed: " + error, failure, trace);
		return RunEnd.dead(this.job, error);
	}

	private void log(String what, Throwable failure, boolean trace) {
		JobRecord record = this.job.record();
		String message = "Attempt " + (record.attempt() + 1) + " of job " + record.job() + " (" + record.id()
				+ ") has failed " + what;
		if (!trace || this.handler.maskArguments()) {
			logger.warn(message);
			return;
		}
		try {
			logger.warn(message, failure);
		}
		catch (RuntimeException ex) {
			// The stack trace cannot be written if the failure throws an exception from
			// its getMessage().
			logger.warn(message + " (cannot be written: " + ex.getClass().getName() + ")");
		}
	}

}
