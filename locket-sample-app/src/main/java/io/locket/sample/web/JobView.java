package io.locket.sample.web;

import java.time.Instant;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * A queued job as the outside sees it.
 *
 * @param id its id
 * @param job the name of the job
 * @param key the readable key, or {@code null} if it has none
 * @param queue its queue
 * @param state where it is in its life
 * @param enqueued when it was enqueued
 * @param started when its last run began, or {@code null} if it never ran
 * @param instance the process that has or had its last run, or {@code null}
 * @param reclaims how often it was taken from a dead replica
 * @param progress how far its last run was when it last told, or {@code null}
 * @param error what its last attempt failed with, or {@code null}
 */
record JobView(String id, String job, @Nullable String key, String queue, JobState state, Instant enqueued,
		@Nullable Instant started, @Nullable String instance, int reclaims, @Nullable JobProgress progress,
		@Nullable String error) {

	static JobView of(JobRecord record) {
		JobKey key = record.key();
		return new JobView(record.id(), record.job(), (key != null) ? key.text() : null, record.queue(), record.state(),
				record.enqueuedAt(), record.startedAt(), record.instance(), record.reclaims(), record.progress(),
				record.lastError());
	}

}
