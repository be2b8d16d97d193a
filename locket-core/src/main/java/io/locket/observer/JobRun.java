package io.locket.observer;

import java.time.Duration;

import io.locket.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * Run of a job that is about to begin: a direct call, or the run of a queued job, which
 * {@link JobContext#queuedRun()} describes.
 *
 * @param context the context of the body
 * @param masked whether arguments, and therefore the messages of failures, are kept out
 * of every report about the run
 * @param waited the time for which the queued job waited since it was due, by the store's
 * clock, or {@code null} for a direct call
 * @param trace the trace that {@link EnqueueObservation#trace()} stored with the queued
 * job, or {@code null}
 */
public record JobRun(JobContext context, boolean masked, @Nullable Duration waited, @Nullable String trace) {

	/**
	 * Returns the run of a direct call.
	 * @param context the context of the body
	 * @param masked whether arguments are kept out of every report about the run
	 * @return the run
	 */
	public static JobRun direct(JobContext context, boolean masked) {
		return new JobRun(context, masked, null, null);
	}

}
