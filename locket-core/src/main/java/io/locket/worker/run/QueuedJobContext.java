package io.locket.worker.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.locket.QueuedRun;
import io.locket.lease.heartbeat.LeaseJobContext;
import io.locket.lease.heartbeat.RunLease;
import io.locket.observer.JobRun;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * Context of a queued run.
 */
public class QueuedJobContext extends LeaseJobContext {

	private final String job;

	private final RunLease lease;

	private final QueuedRun run;

	private volatile boolean completed;

	/**
	 * Creates a context.
	 * @param job the name of the job in its handler
	 * @param record the job
	 * @param lease its lease
	 */
	public QueuedJobContext(String job, JobRecord record, RunLease lease) {
		super(lease);
		this.job = job;
		this.lease = lease;
		this.run = new QueuedRun(record.id(), record.job(), record.queue(), record.attempt() + 1, record.enqueuedAt(),
				Objects.requireNonNullElse(record.startedAt(), lease.since()), record.retryReason());
	}

	/**
	 * Returns this run for observers.
	 * @param record the job
	 * @param masked whether its arguments are kept out of observations
	 * @return this run for observers
	 */
	public JobRun observed(JobRecord record, boolean masked) {
		Instant due = record.enqueuedAt();
		Instant startAt = record.startAt();
		if (startAt != null && startAt.isAfter(due)) {
			due = startAt;
		}
		Duration waited = Duration.between(due, this.run.startedAt());
		return new JobRun(this, masked, waited.isNegative() ? Duration.ZERO : waited, record.trace());
	}

	@Override
	public String job() {
		return this.job;
	}

	@Override
	public Optional<QueuedRun> queuedRun() {
		return Optional.of(this.run);
	}

	@Override
	public boolean isCancelled() {
		return this.lease.isCancelled();
	}

	@Override
	public void progress(long done, long total, @Nullable String message) {
		super.progress(done, total, message);
		this.lease.report(done, total, (message != null) ? cut(message) : null);
	}

	@Override
	public void markCompleted() {
		this.completed = true;
	}

	/**
	 * Returns whether the body has declared its work completed.
	 */
	boolean isCompleted() {
		return this.completed;
	}

	/**
	 * Truncates a message, without splitting a surrogate pair.
	 */
	private static String cut(String message) {
		if (message.length() <= PROGRESS_MESSAGE_LENGTH) {
			return message;
		}
		int end = PROGRESS_MESSAGE_LENGTH;
		return message.substring(0, Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end);
	}

}
