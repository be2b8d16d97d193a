package io.locket.queue.memory;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.locket.JobState;
import io.locket.RetryReason;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * Settlement of the ends of runs of the {@link InMemoryJobQueue}.
 */
final class MemoryEnds {

	private static final Duration DEFERRED_AT_MOST = Duration.ofHours(24);

	private final MemoryStore store;

	private final MemoryLife life;

	private final MemoryAside aside;

	MemoryEnds(MemoryLife life) {
		this.store = life.store;
		this.life = life;
		this.aside = new MemoryAside(life);
	}

	/**
	 * Ends a run. A repeated call returns the first result.
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
			job.setProgress(end.progress(), this.store.now);
		}
		boolean counted = !run.keyLeased || this.store.isLockedBy(job.digest(), run.token);
		if (!counted) {
			if (end.kind() != RunEnd.Kind.DEFER && end.kind() != RunEnd.Kind.UNKNOWN) {
				job.deferredSince = null;
			}
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
			this.life.addEvent(new JobReturned(job.id(), job.name(), job.queue(), job.ran(this.store.now)));
		}
	}

	private void finish(MemoryJob job, RunEnd end) {
		if (end.error() != null) {
			job.lastError = end.error();
		}
		if (end.kind() != RunEnd.Kind.DEFER && end.kind() != RunEnd.Kind.UNKNOWN) {
			job.bodyRan = true;
			job.deferredSince = null;
		}
		switch (end.kind()) {
			case SUCCEEDED -> {
				job.lastError = null;
				this.life.end(job, job.removed ? JobState.REMOVED : JobState.SUCCEEDED);
			}
			case RETURNED -> comeBack(job);
			case DEAD -> {
				this.life.failed(job, end.error(), end.stackTrace());
				if (!this.life.endIfCancelledOrRemoved(job)) {
					this.life.end(job, JobState.DEAD);
				}
			}
			case RETRY -> {
				this.life.failed(job, end.error(), end.stackTrace());
				waitOrDie(job, job.attempt > job.spec.retries(), end);
			}
			case DEFER -> {
				job.deferredSince = (job.deferredSince != null) ? job.deferredSince : (Long) this.store.now;
				waitOrDie(job, this.store.now - job.deferredSince > DEFERRED_AT_MOST.toMillis(), end);
			}
			case UNKNOWN -> setAsideOrDie(job);
		}
	}

	private void setAsideOrDie(MemoryJob job) {
		if (this.life.endIfCancelledOrRemoved(job)) {
			return;
		}
		if (this.aside.isGivenUp(job)) {
			this.life.end(job, JobState.DEAD);
			return;
		}
		boolean listed = this.aside.isListable(job);
		long until = this.aside.waitsUntil(job, listed);
		if (!this.life.endIfSuperseded(job, listed ? this.store.now : until)) {
			this.aside.waitFor(job, until, listed);
			this.life.addEvent(new JobRetried(job.id(), job.name(), job.queue(), job.attempt,
					Duration.ofMillis(until - this.store.now), null, job.ran(this.store.now)));
		}
	}

	private void waitOrDie(MemoryJob job, boolean dies, RunEnd end) {
		if (this.life.endIfCancelledOrRemoved(job)) {
			return;
		}
		if (dies) {
			this.life.end(job, JobState.DEAD);
		}
		else {
			this.life.comeBackAt(job, this.store.now + end.delay().toMillis());
			if (job.is(JobState.RETRY)) {
				boolean failed = end.kind() == RunEnd.Kind.RETRY;
				job.retryReason = failed ? RetryReason.FAILED : RetryReason.DEFERRED;
				String error = failed ? job.lastError : null;
				this.life.addEvent(new JobRetried(job.id(), job.name(), job.queue(), job.attempt, end.delay(), error,
						job.ran(this.store.now)));
			}
		}
	}

	/**
	 * Queues that are full before a step ends runs. Workers are notified of those that
	 * have room and jobs after it.
	 */
	static final class FullQueues {

		private final MemoryStore store;

		/**
		 * Limits of the requested queues that are full, by name.
		 */
		private final Map<String, QueueLimit> full = new HashMap<>();

		/**
		 * Names of the requested queues that have room.
		 */
		private final Set<String> others = new HashSet<>();

		/**
		 * Finds the full queues before the step.
		 * @param request the request of the step, or {@code null} for none
		 */
		FullQueues(MemoryStore store, @Nullable ReservationRequest request) {
			this.store = store;
			for (QueueLimit limit : (request != null) ? request.queues() : List.<QueueLimit>of()) {
				if (store.isFull(limit)) {
					this.full.put(limit.queue(), limit);
				}
				else {
					this.others.add(limit.queue());
				}
			}
		}

		/**
		 * Notifies workers of the queues of some runs that have room again. A queue that
		 * is not requested counts as full, because its limit is unknown.
		 */
		void notifyOfRoom(List<RunEnd> ends) {
			for (RunEnd end : ends) {
				MemoryJob job = this.store.jobs.get(end.id());
				if (job != null && hasRoomAgain(job.queue()) && hasJobs(job.queue())) {
					this.store.notified.add(job.queue());
				}
			}
		}

		private boolean hasRoomAgain(String queue) {
			QueueLimit limit = this.full.get(queue);
			return !this.others.contains(queue) && (limit == null || !this.store.isFull(limit));
		}

		private boolean hasJobs(String queue) {
			return !this.store.index.jobs(queue, JobState.READY).isEmpty() || !this.store.index.aside(queue).isEmpty();
		}

	}

}
