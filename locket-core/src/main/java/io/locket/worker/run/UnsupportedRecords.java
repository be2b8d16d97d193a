package io.locket.worker.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.locket.log.QuietWarnings;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.apache.commons.logging.LogFactory;

/**
 * Deferral of jobs whose records have a later version than this process supports, so that
 * another process runs them. Thread-safe.
 */
public final class UnsupportedRecords {

	private final Duration delay;

	private final DoubleSupplier random;

	private final QuietWarnings warnings;

	/**
	 * Creates an instance.
	 * @param delay the delay until a deferred job is due again, give or take a fifth
	 * @param random a source of random numbers from 0 to 1
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public UnsupportedRecords(Duration delay, DoubleSupplier random, LongSupplier nanoTime) {
		this.delay = delay;
		this.random = random;
		this.warnings = new QuietWarnings(LogFactory.getLog(UnsupportedRecords.class), nanoTime);
	}

	/**
	 * Returns the end of a job that must not run here.
	 * @param job the job
	 * @return its end, or empty if its record is supported
	 */
	public Optional<RunEnd> defer(ReservedJob job) {
		JobRecord record = job.record();
		if (record.version() <= JobRecord.VERSION) {
			return Optional.empty();
		}
		String reason = "its record has version " + record.version() + ", but this process supports version "
				+ JobRecord.VERSION;
		this.warnings.warn("job " + record.job(),
				"Job " + record.job() + " (" + record.id() + ") of queue " + record.queue()
						+ " returns to the queue for " + this.delay + ": " + reason
						+ ". Update this process, or do not let it take from that queue");
		double jitter = 0.8 + 0.4 * this.random.getAsDouble();
		return Optional.of(RunEnd.defer(job, Duration.ofMillis(Math.round(this.delay.toMillis() * jitter)), reason));
	}

}
