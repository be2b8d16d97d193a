package io.locket.sample.web;

import java.util.Optional;
import java.util.function.Function;

import io.locket.JobState;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of the result of a firing.
 *
 * @param job the id of its job, or of the job with which it was merged, or {@code null}
 * if it is unknown
 * @param merged whether a job with the same key existed, so that none was enqueued
 * @param state the current state of the job, or {@code null} if it is unknown
 */
record FiringView(@Nullable String job, boolean merged, @Nullable JobState state) {

	static FiringView of(EnqueueResult result, Function<String, Optional<JobRecord>> jobs) {
		String job = result.jobId().orElse(null);
		JobState state = (job != null) ? jobs.apply(job).map(JobRecord::state).orElse(null) : null;
		return new FiringView(job, result instanceof EnqueueResult.Duplicate, state);
	}

}
