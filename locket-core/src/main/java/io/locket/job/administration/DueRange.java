package io.locket.job.administration;

import java.time.Instant;

import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * Range of due times. A job that was due at once counts as due when it was enqueued.
 *
 * @param from the earliest time, inclusive, or {@code null} for any
 * @param until the latest time, exclusive, or {@code null} for any
 */
record DueRange(@Nullable Instant from, @Nullable Instant until) {

	static final DueRange ANY = new DueRange(null, null);

	DueRange from(Instant time) {
		return (this.from != null && this.from.isAfter(time)) ? this : new DueRange(time, this.until);
	}

	DueRange until(Instant time) {
		return (this.until != null && this.until.isBefore(time)) ? this : new DueRange(this.from, time);
	}

	boolean contains(JobRecord job) {
		Instant due = (job.startAt() != null) ? job.startAt() : job.enqueuedAt();
		return (this.from == null || !due.isBefore(this.from)) && (this.until == null || due.isBefore(this.until));
	}

}
