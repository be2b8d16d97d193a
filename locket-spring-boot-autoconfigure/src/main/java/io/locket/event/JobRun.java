package io.locket.event;

import java.time.Duration;

import io.locket.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job that begins: a direct call, or one of a queued job, of which
 * {@link JobContext#queuedRun()} tells.
 *
 * @param context what the body can know
 * @param waited how long the queued job waited since it was due, by the store's clock, or
 * {@code null} for a direct call
 * @param trace what {@link EnqueueObservation#trace()} has stored with the queued job, or
 * {@code null}
 */
public record JobRun(JobContext context, @Nullable Duration waited, @Nullable String trace) {

}
