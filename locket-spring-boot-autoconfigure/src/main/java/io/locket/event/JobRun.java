package io.locket.event;

import java.time.Duration;

import io.locket.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job that begins: a direct call, or one of a queued job, of which
 * {@link JobContext#queuedRun()} tells.
 *
 * @param context what the body can know
 * @param masked whether arguments are kept out of what is told of the run, and so the
 * messages of its failures too
 * @param waited how long the queued job waited since it was due, by the store's clock, or
 * {@code null} for a direct call
 * @param trace what {@link EnqueueObservation#trace()} has stored with the queued job, or
 * {@code null}
 */
public record JobRun(JobContext context, boolean masked, @Nullable Duration waited, @Nullable String trace) {

	/**
	 * Return a direct call.
	 * @param context what the body can know
	 * @param masked whether arguments are kept out of what is told of it
	 * @return the run
	 */
	public static JobRun direct(JobContext context, boolean masked) {
		return new JobRun(context, masked, null, null);
	}

}
