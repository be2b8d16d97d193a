package io.locket.worker;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.QueuedRun;
import io.locket.lease.RunLease;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a queued job can know of its run.
 */
final class QueuedJobContext implements JobContext {

	private final RunLease lease;

	private final QueuedRun run;

	QueuedJobContext(JobRecord job, RunLease lease) {
		this.lease = lease;
		this.run = new QueuedRun(job.id(), job.job(), job.queue(), job.attempt() + 1, job.enqueuedAt(),
				Objects.requireNonNullElse(job.startedAt(), lease.since()));
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
	public void onLeaseLost(Runnable action) {
		this.lease.onLost(action);
	}

}
