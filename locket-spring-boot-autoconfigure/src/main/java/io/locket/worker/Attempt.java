package io.locket.worker;

import java.time.Duration;
import java.util.Objects;

import io.locket.DuplicateJobException;
import io.locket.queue.JobRecord;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.queue.UnreadableArgumentsException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * An attempt of a job that its handler makes, and how it may fail.
 *
 * @param job the job
 * @param handler its handler
 * @param retry how failed attempts are repeated
 * @param random a random number from 0 to 1
 */
record Attempt(ReservedJob job, JobHandler handler, RetrySettings retry, double random) {

	private static final Log logger = LogFactory.getLog(Attempt.class);

	Attempt {
		Objects.requireNonNull(handler, "'handler' must not be null");
	}

	/**
	 * The attempt has failed.
	 * @param failure what it failed with
	 * @return the end
	 */
	RunEnd failed(Throwable failure) {
		return failed(failure, true);
	}

	/**
	 * The key is taken, and the job says that this is a failed attempt. It has no body
	 * that a stack trace would show.
	 * @param conflict who has the key
	 * @return the end
	 */
	RunEnd refused(DuplicateJobException conflict) {
		return failed(conflict, false);
	}

	private RunEnd failed(Throwable failure, boolean trace) {
		boolean masked = this.handler.maskArguments();
		String error = ErrorText.of(failure, masked);
		if (this.handler.isFinal(failure)) {
			return dead(error, failure, trace);
		}
		JobRecord record = this.job.record();
		Duration delay = this.retry.delay(this.handler.backoff(), record.attempt(), this.random);
		log(((record.attempt() < record.retries())
				? "and is repeated in " + delay.toMillis() + " ms, unless it was cancelled: "
				: "for the last time; put it back when the cause is mended: ") + error, failure, trace);
		return RunEnd.retry(this.job, delay, error);
	}

	/**
	 * The arguments cannot be read, and will not be by any attempt.
	 * @param failure why not
	 * @return the end
	 */
	RunEnd unreadable(UnreadableArgumentsException failure) {
		return dead(ErrorText.of(failure, this.handler.maskArguments()), failure, true);
	}

	private RunEnd dead(String error, Throwable failure, boolean trace) {
		log("and is not repeated; put it back when the cause is mended: " + error, failure, trace);
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
			// The stack trace of a failure that cannot tell its message cannot be
			// written.
			logger.warn(message + " (cannot be written: " + ex.getClass().getName() + ")");
		}
	}

}
