package io.locket.sample.web;

import java.time.Instant;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of a queued job.
 *
 * @param id its id
 * @param job the name of the job
 * @param key the readable key, or {@code null} if it has none
 * @param queue its queue
 * @param state its state
 * @param enqueued the time of enqueuing
 * @param started the start of its last run, or {@code null} if it never ran
 * @param instance the process of its current or last run, or {@code null}
 * @param reclaims the number of reclaims from dead replicas
 * @param progress the last reported progress of its last run, or {@code null}
 * @param error the error of its last attempt, or {@code null}
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
