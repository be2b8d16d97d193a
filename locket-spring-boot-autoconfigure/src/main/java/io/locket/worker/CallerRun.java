package io.locket.worker;

import io.locket.queue.EndResult;
import io.locket.queue.JobRecord;
import io.locket.queue.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * A run that a {@link CallerWorker} has made. Immutable.
 *
 * @param job the job as it was handed out
 * @param kind how the run ended
 * @param result what the queue made of that
 * @param failure what the attempt failed with, or {@code null} if it did not fail
 */
public record CallerRun(JobRecord job, RunEnd.Kind kind, EndResult result, @Nullable Throwable failure) {

}
