package io.locket.queue;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What two implementations have to agree on about a job. Times are relative.
 */
record JobView(String id, JobState state, String queue, String arguments, @Nullable String keyText, String strategies,
		int attempt, int retries, int reclaims, boolean cancelled, @Nullable String trace,
		@Nullable String supersededBy, @Nullable String instance, @Nullable Duration enqueuedAt, @Nullable Duration due,
		@Nullable Duration startedAt, @Nullable Duration endedAt) {

	static JobView of(JobRecord job, Instant epoch) {
		boolean timed = job.state() == JobState.SCHEDULED || job.state() == JobState.RETRY;
		return new JobView(job.id(), job.state(), job.queue(), job.arguments(),
				(job.key() != null) ? job.key().toString() : null, job.lock() + "/" + job.onConflict(), job.attempt(),
				job.retries(), job.reclaims(), job.cancelled(), job.trace(), job.supersededBy(), job.instance(),
				since(epoch, job.enqueuedAt()), timed ? since(epoch, job.startAt()) : null,
				since(epoch, job.startedAt()), since(epoch, job.endedAt()));
	}

	private static @Nullable Duration since(Instant epoch, @Nullable Instant time) {
		return (time != null) ? Duration.between(epoch, time) : null;
	}

}
