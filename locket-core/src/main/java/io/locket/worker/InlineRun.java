package io.locket.worker;

import io.locket.queue.JobRecord;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * Run of a {@link InlineWorker}. Immutable.
 *
 * @param job the job as it was handed out
 * @param kind the kind of end
 * @param result the result of the queue
 * @param failure the failure of the attempt, or {@code null} if it did not fail
 */
public record InlineRun(JobRecord job, RunEnd.Kind kind, EndResult result, @Nullable Throwable failure) {

}
