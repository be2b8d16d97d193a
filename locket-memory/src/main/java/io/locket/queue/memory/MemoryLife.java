package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LockStrategy;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.event.JobReplaced;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * State transitions of the jobs of the {@link InMemoryJobQueue}.
 */
class MemoryLife {

	final MemoryStore store;

	MemoryLife(MemoryStore store) {
		this.store = store;
	}

	/**
	 * Accepts a new job and gives it its ticket or claim.
	 */
	void accept(NewJob spec, long due) {
		MemoryJob job = new MemoryJob(spec, this.store.now, due);
		this.store.add(job);
		MemoryStore.QueueState state = this.store.queue(job.queue());
		state.accepted++;
		state.unlisted = false;
		if (spec.lock() == LockStrategy.UNTIL_EXPIRED) {
			this.store.space.putClaim(job.digest(),
					KeyLock.expiring(job.id(), job.id(), job.key,
							new LeaseHolder("queue", job.queue(), Instant.ofEpochMilli(this.store.now), 0),
							this.store.now, job.capAt));
		}
		if (spec.lock().isUniqueWhileWaiting()) {
			this.store.tickets.put(job.digest(), job.id());
		}
		long delay = Math.max(0, due - this.store.now);
		if (delay > 0) {
			waitFor(job, JobState.SCHEDULED, due);
		}
		else {
			append(job);
		}
		addEvent(new JobEnqueued(job.id(), job.name(), job.queue(), Duration.ofMillis(delay)));
	}

	/**
	 * Replaces the arguments of a waiting job with those of a new one.
	 */
	void replace(MemoryJob job, NewJob newcomer, long due) {
		job.arguments = newcomer.arguments();
		job.trace = newcomer.trace();
		job.key = newcomer.key();
		job.attempt = 0;
		job.attempts.clear();
		job.reclaims = 0;
		job.lastError = null;
		job.deferredSince = null;
		job.progress = null;
		job.retryReason = null;
		replaceDue(job, newcomer, Math.max(due, this.store.now));
		this.store.replacements.put(newcomer.id(), job.id());
		this.store.replacers.put(newcomer.id(), newcomer);
		addEvent(new JobReplaced(job.id(), job.name(), job.queue(), newcomer.id()));
	}

	/**
	 * Sets the due time of a scheduled job to that of the new job, within the bounds of
	 * both. For a job that waits for a retry, only an earlier due time is set.
	 */
	private void replaceDue(MemoryJob job, NewJob newcomer, long due) {
		if (job.is(JobState.SCHEDULED)) {
			long latest = (newcomer.maxDelay() != null) ? job.enqueuedAt + newcomer.maxDelay().toMillis()
					: Long.MAX_VALUE;
			setDue(job, Math.min(Math.min(due, latest), job.dueAtLatest));
			movePeriod(job);
		}
		else if (job.is(JobState.RETRY) && due < Objects.requireNonNull(job.due)) {
			setDue(job, due);
		}
	}

	private void setDue(MemoryJob job, long due) {
		this.store.change(job, () -> {
			job.due = due;
			job.aside = false;
		});
		this.store.notified.add(job.queue());
	}

	/**
	 * Moves the end of a ticket or claim along with the due time from which it counts.
	 */
	void movePeriod(MemoryJob job) {
		job.capAt = job.capAt(Math.max(Objects.requireNonNull(job.due), this.store.now));
		KeyLock claim = this.store.claim(job);
		if (claim != null) {
			this.store.space.putClaim(job.digest(), claim.until(job.capAt));
		}
	}

	/**
	 * Makes a job ready at the end of its queue.
	 */
	void append(MemoryJob job) {
		this.store.change(job, () -> job.sequence = ++this.store.queue(job.queue()).lastSequence);
		ready(job);
	}

	/**
	 * Makes a job ready at its current place.
	 */
	void ready(MemoryJob job) {
		become(job, JobState.READY);
		this.store.notified.add(job.queue());
	}

	/**
	 * Moves a waiting job to the end of another queue. Its promotion does not move with
	 * it.
	 */
	void move(MemoryJob job, String queue) {
		this.store.queue(job.queue()).movedOut++;
		MemoryStore.QueueState state = this.store.queue(queue);
		state.movedIn++;
		state.unlisted = false;
		this.store.notified.add(queue);
		this.store.change(job, () -> {
			job.queue = queue;
			job.sequence = ++state.lastSequence;
			job.promoted = false;
		});
		if (job.aside) {
			bringBack(job);
		}
		promote(job.digest());
	}

	/**
	 * Changes the due time of a waiting job.
	 */
	void reschedule(MemoryJob job, long due) {
		boolean timed = job.is(JobState.SCHEDULED) || job.is(JobState.RETRY);
		job.deferredSince = null;
		job.dueAtLatest = Long.MAX_VALUE;
		this.store.change(job, () -> job.due = due);
		if (job.capAt > this.store.now) {
			movePeriod(job);
		}
		if (due > this.store.now) {
			waitFor(job, timed ? job.state : JobState.SCHEDULED, due);
			promote(job.digest());
		}
		else if (timed) {
			append(job);
		}
	}

	void waitFor(MemoryJob job, JobState state, long due) {
		become(job, state, due);
		this.store.notified.add(job.queue());
	}

	/**
	 * Makes a job that is set aside ready at its current place.
	 */
	void bringBack(MemoryJob job) {
		become(job, JobState.READY, job.deferredSince);
	}

	void park(MemoryJob job) {
		become(job, JobState.PARKED);
		addEvent(new JobParked(job.id(), job.name(), job.queue()));
	}

	/**
	 * Starts the run of a job.
	 */
	void start(MemoryJob job, String instance, MemoryJob.Run run) {
		become(job, JobState.RUNNING);
		job.run = run;
		job.instance = instance;
		job.startedAt = this.store.now;
		job.progress = null;
		if (job.lock() != LockStrategy.UNTIL_EXECUTED) {
			freeTicket(job);
		}
		addEvent(new JobStarted(job.id(), job.name(), job.queue(), instance, job.attempt + 1,
				Duration.ofMillis(Math.max(0, this.store.now - job.dueSince())), run.conflict != null));
	}

	/**
	 * Counts and keeps a failed attempt.
	 */
	void failed(MemoryJob job, @Nullable String error, @Nullable String stackTrace) {
		job.failed(error, stackTrace, this.store.now);
		this.store.queue(job.queue()).failedAttempts++;
	}

	void end(MemoryJob job, JobState state) {
		Duration ran = (job.run != null) ? job.ran(this.store.now) : null;
		become(job, state);
		job.endedAt = this.store.now;
		freeTicket(job);
		if ((state == JobState.CANCELLED || state == JobState.REMOVED) && !job.bodyRan) {
			releaseClaim(job);
		}
		addEvent(new JobEnded(job.id(), job.name(), job.queue(), state, ran, job.lastError));
	}

	/**
	 * Releases the claim of a job that ended before its body ran.
	 */
	void releaseClaim(MemoryJob job) {
		if (this.store.claim(job) != null) {
			this.store.space.dropClaim(job.digest());
		}
	}

	/**
	 * Records an event that is published after the step.
	 */
	void addEvent(QueueEvent event) {
		this.store.events.add(event);
	}

	private void become(MemoryJob job, JobState state) {
		become(job, state, job.due);
	}

	private void become(MemoryJob job, JobState state, @Nullable Long due) {
		this.store.change(job, () -> {
			job.state = state;
			job.due = due;
			job.promoted = false;
			job.aside = false;
			job.run = null;
		});
	}

	private void freeTicket(MemoryJob job) {
		this.store.tickets.remove(job.digest(), job.id());
	}

	/**
	 * Ends a job that returns from a run if it was cancelled or removed.
	 * @return whether the job has ended
	 */
	boolean endIfCancelledOrRemoved(MemoryJob job) {
		if (job.cancelled) {
			end(job, JobState.CANCELLED);
			return true;
		}
		if (job.removed) {
			end(job, JobState.REMOVED);
			return true;
		}
		return false;
	}

	/**
	 * Takes back the ticket that the job gave up when it started. If another job holds
	 * it, this job ends. A job whose cap has passed is no longer unique, so nothing
	 * happens to it.
	 * @param due the time at which the job would run again
	 * @return whether the job has ended
	 */
	boolean endIfSuperseded(MemoryJob job, long due) {
		if (job.capAt <= this.store.now || (job.lock() != LockStrategy.UNTIL_EXECUTING
				&& job.lock() != LockStrategy.UNTIL_AND_WHILE_EXECUTING)) {
			return false;
		}
		MemoryJob owner = this.store.ticketOwner(job.digest());
		if (owner != null && owner != job) {
			job.supersededBy = owner.id();
			inherit(owner, due);
			end(job, JobState.SUPERSEDED);
			return true;
		}
		this.store.tickets.put(job.digest(), job.id());
		return false;
	}

	/**
	 * Bounds the due time of a waiting job by that of the job that it supersedes, now and
	 * after replacements.
	 */
	void inherit(MemoryJob job, long due) {
		if (!job.isTimed()) {
			return;
		}
		boolean earlier = due < Objects.requireNonNull(job.due);
		if (earlier) {
			setDue(job, due);
		}
		if (earlier && due <= this.store.now) {
			append(job);
		}
		else if (job.is(JobState.SCHEDULED)) {
			job.dueAtLatest = Math.min(job.dueAtLatest, due);
		}
	}

	/**
	 * Returns a job from a run to its place.
	 */
	void comeBack(MemoryJob job) {
		if (!endIfCancelledOrRemoved(job) && !endIfSuperseded(job, this.store.now)) {
			ready(job);
		}
	}

	/**
	 * Returns a job from a run to wait until the given time.
	 */
	void comeBackAt(MemoryJob job, long due) {
		if (!endIfSuperseded(job, due)) {
			waitFor(job, JobState.RETRY, due);
		}
	}

	/**
	 * Releases the key lease of a run, except for the rest of its minimum hold.
	 */
	void release(MemoryJob job, MemoryJob.@Nullable Run run, long startedAt) {
		if (run == null || !run.keyLeased) {
			return;
		}
		// The clock may have been set back since the run began.
		long heldUntil = Math.min(startedAt, this.store.now) + job.spec.holdAtLeast().toMillis();
		this.store.space.release(job.digest(), run.token, heldUntil);
		if (heldUntil <= this.store.now) {
			promote(job.digest());
		}
	}

	/**
	 * Promotes the first parked job of a key in each queue if the key is free. A promoted
	 * job that is still ready counts as the first, unless a job before it has been parked
	 * since.
	 */
	void promote(String digest) {
		if (this.store.lock(digest) != null) {
			return;
		}
		for (MemoryJob job : this.store.index.first(digest)) {
			if (job.is(JobState.PARKED)) {
				ready(job);
				this.store.change(job, () -> job.promoted = true);
				addEvent(new JobPromoted(job.id(), job.name(), job.queue()));
			}
		}
	}

}
