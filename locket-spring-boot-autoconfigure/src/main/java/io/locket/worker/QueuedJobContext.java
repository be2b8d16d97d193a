package io.locket.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.QueuedRun;
import io.locket.event.JobRun;
import io.locket.lease.RunLease;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a queued job can know of its run.
 */
class QueuedJobContext implements JobContext {

	private final String job;

	private final RunLease lease;

	private final QueuedRun run;

	/**
	 * Create a context.
	 * @param job the name of the job, as its handler knows it
	 * @param record the job
	 * @param lease its lease
	 */
	QueuedJobContext(String job, JobRecord record, RunLease lease) {
		this.job = job;
		this.lease = lease;
		this.run = new QueuedRun(record.id(), record.job(), record.queue(), record.attempt() + 1, record.enqueuedAt(),
				Objects.requireNonNullElse(record.startedAt(), lease.since()));
	}

	/**
	 * Return this run for those who observe it.
	 * @param record the job
	 * @param masked whether arguments are kept out of what is told of it
	 */
	JobRun observed(JobRecord record, boolean masked) {
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
	public JobKey key() {
		return this.lease.key();
	}

	@Override
	public long fencingToken() {
		return this.lease.fencingToken();
	}

	@Override
	public Instant since() {
		return this.lease.since();
	}

	@Override
	public @Nullable LeaseLossCause lossCause() {
		return this.lease.lossCause();
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
		JobContext.super.progress(done, total, message);
		this.lease.report(done, total, (message != null) ? cut(message) : null);
	}

	/**
	 * Cut a message, and not in the middle of a character that takes two of Java's.
	 */
	private static String cut(String message) {
		if (message.length() <= PROGRESS_MESSAGE_LENGTH) {
			return message;
		}
		int end = PROGRESS_MESSAGE_LENGTH;
		return message.substring(0, Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end);
	}

	@Override
	public void onLeaseLost(Runnable action) {
		this.lease.onLost(action);
	}

}
