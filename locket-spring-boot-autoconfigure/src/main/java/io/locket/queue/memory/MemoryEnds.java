package io.locket.queue.memory;

import java.time.Duration;
import java.util.Objects;

import io.locket.JobState;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.queue.EndResult;
import io.locket.queue.RunEnd;

/**
 * What the ends of runs do to the jobs of the {@link InMemoryJobQueue}.
 */
final class MemoryEnds {

	private static final Duration DEFERRED_AT_MOST = Duration.ofHours(24);

	private final MemoryStore store;

	private final MemoryLife life;

	MemoryEnds(MemoryLife life) {
		this.store = life.store;
		this.life = life;
	}

	/**
	 * End a run. One that has ended is answered as it was.
	 */
	EndResult settle(RunEnd end) {
		EndResult known = this.store.ends.get(end.token());
		EndResult result = (known != null) ? known : settleOne(end);
		this.store.ends.put(end.token(), result);
		return result;
	}

	private EndResult settleOne(RunEnd end) {
		MemoryJob job = this.store.jobs.get(end.id());
		if (job == null || job.run == null || !job.run.token.equals(end.token())) {
			return new EndResult(end.id(), false, (job != null) ? job.state : null);
		}
		MemoryJob.Run run = job.run;
		long startedAt = Objects.requireNonNull(job.startedAt);
		if (end.progress() != null) {
			job.tell(end.progress(), this.store.now);
		}
		boolean counted = !run.keyLeased || this.store.isLockedBy(job.digest(), run.token);
		if (!counted) {
			comeBack(job);
			this.life.promote(job.digest());
			return new EndResult(end.id(), false, job.state);
		}
		finish(job, end);
		this.life.release(job, run, startedAt);
		return new EndResult(end.id(), true, job.state);
	}

	private void comeBack(MemoryJob job) {
		this.life.comeBack(job);
		if (job.is(JobState.READY)) {
			this.life.tell(new JobReturned(job.id(), job.name(), job.queue(), job.ran(this.store.now)));
		}
	}

	private void finish(MemoryJob job, RunEnd end) {
		if (end.error() != null) {
			job.lastError = end.error();
		}
		if (end.kind() != RunEnd.Kind.DEFER) {
			job.deferredSince = null;
		}
		switch (end.kind()) {
			case SUCCEEDED -> {
				job.lastError = null;
				this.life.end(job, job.removed ? JobState.REMOVED : JobState.SUCCEEDED);
			}
			case RETURNED -> comeBack(job);
			case DEAD -> {
				job.attempt++;
				if (!this.life.endsInsteadOfWaiting(job)) {
					this.life.end(job, JobState.DEAD);
				}
			}
			case RETRY -> {
				job.attempt++;
				waitOrDie(job, job.attempt > job.spec.retries(), end);
			}
			case DEFER -> {
				job.deferredSince = (job.deferredSince != null) ? job.deferredSince : (Long) this.store.now;
				waitOrDie(job, this.store.now - job.deferredSince > DEFERRED_AT_MOST.toMillis(), end);
			}
		}
	}

	private void waitOrDie(MemoryJob job, boolean dies, RunEnd end) {
		if (this.life.endsInsteadOfWaiting(job)) {
			return;
		}
		if (dies) {
			this.life.end(job, JobState.DEAD);
		}
		else {
			this.life.comeBackAt(job, this.store.now + end.delay().toMillis());
			if (job.is(JobState.RETRY)) {
				String error = (end.kind() == RunEnd.Kind.RETRY) ? job.lastError : null;
				this.life.tell(new JobRetried(job.id(), job.name(), job.queue(), job.attempt, end.delay(), error,
						job.ran(this.store.now)));
			}
		}
	}

}
