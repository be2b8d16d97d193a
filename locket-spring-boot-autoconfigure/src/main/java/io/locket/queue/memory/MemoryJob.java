package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.JobProgress;
import io.locket.queue.JobRecord;
import io.locket.queue.NewJob;
import io.locket.queue.RunProgress;
import io.locket.queue.SteerResult;
import org.jspecify.annotations.Nullable;

/**
 * A job of the {@link InMemoryJobQueue}. Times are milliseconds of the store.
 */
final class MemoryJob {

	/**
	 * The job as it was enqueued at first. Arguments, key text and trace may be replaced.
	 */
	final NewJob spec;

	final long enqueuedAt;

	/**
	 * When its ticket ends, whatever the job does.
	 */
	final long capAt;

	/**
	 * The queue in which it is. It may have been enqueued into another one.
	 */
	String queue;

	String arguments;

	@Nullable JobKey key;

	@Nullable String trace;

	JobState state = JobState.READY;

	/**
	 * Its place in the queue, from when it is ready for the first time.
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
	 * Whether it is ready because it was promoted.
	 */
	boolean promoted;

	@Nullable String instance;

	@Nullable String lastError;

	@Nullable String supersededBy;

	@Nullable Long deferredSince;

	/**
	 * Whether it is a dead letter no longer.
	 */
	boolean dismissed;

	@Nullable String putBackAs;

	/**
	 * How far its last run was.
	 */
	@Nullable JobProgress progress;

	/**
	 * What became of it in steps that have steered it, by their ids.
	 */
	final Map<String, SteerResult> steered = new HashMap<>();

	/**
	 * Its run while it is running, else {@code null}.
	 */
	@Nullable Run run;

	MemoryJob(NewJob spec, long now, long due) {
		this.spec = spec;
		this.enqueuedAt = now;
		this.capAt = (spec.uniqueFor() != null) ? Math.max(now, due) + spec.uniqueFor().toMillis() : Long.MAX_VALUE;
		this.queue = spec.queue();
		this.arguments = spec.arguments();
		this.key = spec.key();
		this.trace = spec.trace();
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
	 * Return whether its strategy makes it unique in the state that it is in.
	 */
	boolean isCovered() {
		return switch (lock()) {
			case UNTIL_EXECUTING, UNTIL_AND_WHILE_EXECUTING -> this.state.isWaiting();
			case UNTIL_EXECUTED -> !this.state.isEnded();
			default -> false;
		};
	}

	/**
	 * Return since when a job waits that is ready or parked.
	 */
	long dueSince() {
		return Math.max(this.enqueuedAt, (this.due != null) ? this.due : 0);
	}

	/**
	 * Return how long a job has run that runs, or has run until now.
	 */
	Duration ran(long now) {
		return Duration.ofMillis(Math.max(0, now - ((this.startedAt != null) ? this.startedAt : now)));
	}

	/**
	 * Keep how far its run is.
	 */
	void tell(RunProgress told, long now) {
		this.progress = new JobProgress(told.done(), told.total(), told.message(), Instant.ofEpochMilli(now));
	}

	JobRecord toRecord() {
		return new JobRecord(JobRecord.VERSION, id(), this.spec.job(), queue(), this.arguments, this.key, lock(),
				(this.spec.onConflict() != ConflictStrategy.WAIT) ? this.spec.onConflict() : ConflictStrategy.PARK,
				this.state, Instant.ofEpochMilli(this.enqueuedAt), instant(this.due), instant(this.startedAt),
				instant(this.endedAt), this.attempt, this.spec.retries(), this.reclaims, this.instance,
				this.spec.leaseFor(), this.cancelled, this.lastError, this.trace, this.supersededBy, this.putBackAs,
				this.progress);
	}

	private static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

	/**
	 * A run of the job.
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
