package io.locket.queue.memory;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.RetryReason;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * View of a job on which two implementations must agree. Times are relative.
 */
record JobView(String id, JobState state, String queue, String arguments, @Nullable String keyText, String strategies,
		int attempt, int retries, int reclaims, boolean cancelled, @Nullable String trace,
		@Nullable String supersededBy, @Nullable String requeuedAs, @Nullable String instance,
		@Nullable Duration enqueuedAt, @Nullable Duration due, @Nullable Duration startedAt, @Nullable Duration endedAt,
		@Nullable String progress, @Nullable RetryReason retryReason) {

	static JobView of(JobRecord job, Instant epoch) {
		return new JobView(job.id(), job.state(), job.queue(), job.arguments(),
				(job.key() != null) ? job.key().toString() : null, strategies(job), job.attempt(), job.retries(),
				job.reclaims(), job.cancelled(), job.trace(), job.supersededBy(), job.requeuedAs(), job.instance(),
				since(epoch, job.enqueuedAt()), since(epoch, job.startAt()), since(epoch, job.startedAt()),
				since(epoch, job.endedAt()), progress(job.progress(), epoch), job.retryReason());
	}

	/**
	 * The conflict strategy of a waiting queued run is stored as parking.
	 */
	private static String strategies(JobRecord job) {
		ConflictStrategy onConflict = job.onConflict();
		return job.lock() + "/" + ((onConflict != ConflictStrategy.WAIT) ? onConflict : ConflictStrategy.PARK);
	}

	private static @Nullable String progress(@Nullable JobProgress progress, Instant epoch) {
		return (progress != null) ? progress.done() + "/" + progress.total() + " " + progress.message() + " after "
				+ since(epoch, progress.at()) : null;
	}

	/**
	 * Fails with the differences if there are any.
	 */
	static void compare(@Nullable JobView actual, JobView expected) {
		if (expected.equals(actual)) {
			return;
		}
		if (actual == null) {
			throw new AssertionError("is not known, and should be " + expected);
		}
		StringBuilder differences = new StringBuilder(expected.id());
		for (RecordComponent component : JobView.class.getRecordComponents()) {
			ReflectionUtils.makeAccessible(component.getAccessor());
			Object is = ReflectionUtils.invokeMethod(component.getAccessor(), actual);
			Object should = ReflectionUtils.invokeMethod(component.getAccessor(), expected);
			if (!Objects.equals(is, should)) {
				differences.append("; ").append(component.getName()).append(" is ").append(is);
				differences.append(" and should be ").append(should);
			}
		}
		throw new AssertionError(differences.toString());
	}

	private static @Nullable Duration since(Instant epoch, @Nullable Instant time) {
		return (time != null) ? Duration.between(epoch, time) : null;
	}

}
