package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import io.locket.RetryReason;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RunProgress;
import org.jspecify.annotations.Nullable;

/**
 * Job of the {@link InMemoryJobQueue}. Times are in milliseconds of the store's clock.
 */
final class MemoryJob {

	/**
	 * Job as first enqueued. Its arguments, key text and trace may be replaced later.
	 */
	final NewJob spec;

	final long enqueuedAt;

	/**
	 * Time at which its ticket or claim ends in any state. It moves with the due time.
	 */
	long capAt;

	/**
	 * Latest due time that a replacement may set, because the job has inherited it.
	 */
	long dueAtLatest = Long.MAX_VALUE;

	/**
	 * Whether the body of this job, or of the dead letter that it was, may have run.
	 */
	boolean bodyRan;

	/**
	 * Current queue. The job may have been enqueued into another one.
	 */
	String queue;

	String arguments;

	@Nullable JobKey key;

	@Nullable String trace;

	JobState state = JobState.READY;

	/**
	 * Place in the queue, assigned when the job first becomes ready.
	 */
	long sequence;

	@Nullable Long due;

	@Nullable Long startedAt;

	@Nullable Long endedAt;

	int attempt;

	int reclaims;

	boolean cancelled;

	boolean removed;

	/**
	 * Whether the job is ready because it was promoted.
	 */
	boolean promoted;

	@Nullable String instance;

	@Nullable String lastError;

	@Nullable String supersededBy;

	@Nullable Long deferredSince;

	/**
	 * Whether the counters of its queue were deleted since the job ended.
	 */
	boolean uncounted;

	/**
	 * Whether the job is set aside until a worker with a handler for it polls.
	 */
	boolean aside;

	/**
	 * Whether the job is dead but no longer a dead letter.
	 */
	boolean dismissed;

	@Nullable String requeuedAs;

	/**
	 * Progress of the last run.
	 */
	@Nullable JobProgress progress;

	/**
	 * Reason of the last wait for a retry.
	 */
	@Nullable RetryReason retryReason;

	/**
	 * Failed attempts that are kept, the latest first.
	 */
	final Deque<FailedAttempt> attempts = new ArrayDeque<>();

	/**
	 * Results of bulk actions on this job, by the ids of the actions.
	 */
	final Map<String, UpdateResult> updated = new HashMap<>();

	/**
	 * Current run, or {@code null} if the job is not running.
	 */
	@Nullable Run run;

	MemoryJob(NewJob spec, long now, long due) {
		this.spec = spec;
		this.enqueuedAt = now;
		this.capAt = capAt(Math.max(now, due));
		this.queue = spec.queue();
		this.arguments = spec.arguments();
		this.key = spec.key();
		this.trace = spec.trace();
	}

	/**
	 * Returns the end of its ticket or claim for a period that begins at the given time.
	 */
	long capAt(long from) {
		return (this.spec.uniqueFor() != null) ? from + this.spec.uniqueFor().toMillis() : Long.MAX_VALUE;
	}

	String id() {
		return this.spec.id();
	}

	String name() {
		return this.spec.job();
	}

	String queue() {
		return this.queue;
	}

	LockStrategy lock() {
		return this.spec.lock();
	}

	String digest() {
		return (this.spec.key() != null) ? this.spec.key().digest() : "";
	}

	boolean is(JobState candidate) {
		return this.state == candidate;
	}

	boolean isLetter() {
		return this.state == JobState.DEAD && !this.dismissed;
	}

	/**
	 * Returns whether the job waits for its due time.
	 */
	boolean isTimed() {
		return is(JobState.SCHEDULED) || is(JobState.RETRY);
	}

	/**
	 * Returns whether its lock strategy makes the job unique in its current state.
	 */
	boolean isCovered() {
		return switch (lock()) {
			case UNTIL_EXECUTING, UNTIL_AND_WHILE_EXECUTING -> this.state.isWaiting();
			case UNTIL_EXECUTED -> !this.state.isEnded();
			default -> false;
		};
	}

	/**
	 * Returns the time since which a ready or parked job waits.
	 */
	long dueSince() {
		return Math.max(this.enqueuedAt, (this.due != null) ? this.due : 0);
	}

	/**
	 * Returns the duration of the current run, or of the run that ends now.
	 */
	Duration ran(long now) {
		return Duration.ofMillis(Math.max(0, now - ((this.startedAt != null) ? this.startedAt : now)));
	}

	/**
	 * Counts and keeps a failed attempt.
	 */
	void failed(@Nullable String error, @Nullable String stackTrace, long now) {
		this.attempt++;
		this.attempts.addFirst(
				new FailedAttempt(this.attempt, Instant.ofEpochMilli((this.startedAt != null) ? this.startedAt : now),
						Instant.ofEpochMilli(now), this.instance, error, stackTrace));
		if (this.attempts.size() > FailedAttempt.DEFAULT_KEPT) {
			this.attempts.removeLast();
		}
	}

	/**
	 * Stores the progress of the current run.
	 */
	void setProgress(RunProgress reported, long now) {
		this.progress = new JobProgress(reported.done(), reported.total(), reported.message(),
				Instant.ofEpochMilli(now));
	}

	JobRecord toRecord() {
		return new JobRecord(JobRecord.VERSION, id(), this.spec.job(), queue(), this.arguments, this.key, lock(),
				(this.spec.onConflict() != ConflictStrategy.WAIT) ? this.spec.onConflict() : ConflictStrategy.PARK,
				this.state, Instant.ofEpochMilli(this.enqueuedAt), instant(this.due), instant(this.startedAt),
				instant(this.endedAt), this.attempt, this.spec.retries(), this.reclaims, this.instance,
				this.spec.leaseFor(), this.cancelled, this.lastError, this.trace, this.supersededBy, this.requeuedAs,
				this.progress, this.retryReason);
	}

	private static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

	/**
	 * Run of the job.
	 */
	static final class Run {

		final String request;

		final String token;

		final long fence;

		final boolean keyLeased;

		final @Nullable LeaseHolder conflict;

		final @Nullable Duration conflictFor;

		long deadline;

		Run(String request, String token, long fence, boolean keyLeased, @Nullable KeyLock conflict, long now,
				long deadline) {
			this.request = request;
			this.token = token;
			this.fence = fence;
			this.keyLeased = keyLeased;
			this.conflict = (conflict != null) ? conflict.holder() : null;
			this.conflictFor = (conflict != null) ? Duration.ofMillis(conflict.expiresAt() - now) : null;
			this.deadline = deadline;
		}

	}

}
