package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
import io.locket.queue.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of the {@link InMemoryJobQueue} go from state to state.
 */
class MemoryLife {

	final MemoryStore store;

	MemoryLife(MemoryStore store) {
		this.store = store;
	}

	/**
	 * Accept a newcomer and give it its ticket or claim.
	 */
	void accept(NewJob spec, long due) {
		MemoryJob job = new MemoryJob(spec, this.store.now, due);
		this.store.jobs.put(job.id(), job);
		MemoryStore.Line line = this.store.line(job.queue());
		line.accepted++;
		line.unlisted = false;
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
			line(job);
		}
		tell(new JobEnqueued(job.id(), job.name(), job.queue(), Duration.ofMillis(delay)));
	}

	/**
	 * Make a job that waits take the arguments of a newcomer.
	 */
	void replace(MemoryJob job, NewJob newcomer, long due) {
		job.arguments = newcomer.arguments();
		job.trace = newcomer.trace();
		job.key = newcomer.key();
		job.attempt = 0;
		job.reclaims = 0;
		job.lastError = null;
		job.deferredSince = null;
		job.progress = null;
		if (job.is(JobState.SCHEDULED)) {
			long latest = (newcomer.maxDelay() != null) ? job.enqueuedAt + newcomer.maxDelay().toMillis()
					: Long.MAX_VALUE;
			job.due = Math.min(Math.max(due, this.store.now), latest);
			this.store.news.add(job.queue());
		}
		this.store.replacements.put(newcomer.id(), job.id());
		tell(new JobReplaced(job.id(), job.name(), job.queue(), newcomer.id()));
	}

	/**
	 * Make a job ready at the end of its queue.
	 */
	void line(MemoryJob job) {
		job.sequence = ++this.store.line(job.queue()).lastSequence;
		ready(job);
	}

	/**
	 * Make a job ready at the place that it has.
	 */
	void ready(MemoryJob job) {
		become(job, JobState.READY);
		this.store.news.add(job.queue());
	}

	/**
	 * Put a job that waits at the end of another queue, where nobody has promoted it.
	 */
	void move(MemoryJob job, String queue) {
		this.store.line(job.queue()).movedOut++;
		MemoryStore.Line line = this.store.line(queue);
		line.movedIn++;
		line.unlisted = false;
		this.store.news.add(queue);
		job.queue = queue;
		job.sequence = ++line.lastSequence;
		job.promoted = false;
		promote(job.digest());
	}

	void waitFor(MemoryJob job, JobState state, long due) {
		become(job, state);
		job.due = due;
		this.store.news.add(job.queue());
	}

	void park(MemoryJob job) {
		become(job, JobState.PARKED);
		tell(new JobParked(job.id(), job.name(), job.queue()));
	}

	/**
	 * Hand a job out.
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
		tell(new JobStarted(job.id(), job.name(), job.queue(), instance, job.attempt + 1,
				Duration.ofMillis(Math.max(0, this.store.now - job.dueSince())), run.conflict != null));
	}

	void end(MemoryJob job, JobState state) {
		Duration ran = (job.run != null) ? job.ran(this.store.now) : null;
		become(job, state);
		job.endedAt = this.store.now;
		freeTicket(job);
		tell(new JobEnded(job.id(), job.name(), job.queue(), state, ran, job.lastError));
	}

	/**
	 * Remember what has happened, to be told after the step.
	 */
	void tell(QueueEvent event) {
		this.store.events.add(event);
	}

	private void become(MemoryJob job, JobState state) {
		job.state = state;
		job.promoted = false;
		job.run = null;
	}

	private void freeTicket(MemoryJob job) {
		this.store.tickets.remove(job.digest(), job.id());
	}

	/**
	 * Whether a job that comes back from a run has to end instead of waiting again.
	 * @return whether it has ended
	 */
	boolean endsInsteadOfWaiting(MemoryJob job) {
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
	 * Take the ticket back that the job gave up when it started, or end if another one
	 * has it. A job whose cap has passed is not unique any more, and does neither.
	 * @return whether it has ended
	 */
	boolean isSuperseded(MemoryJob job) {
		if (job.capAt <= this.store.now || (job.lock() != LockStrategy.UNTIL_EXECUTING
				&& job.lock() != LockStrategy.UNTIL_AND_WHILE_EXECUTING)) {
			return false;
		}
		MemoryJob owner = this.store.ticketOwner(job.digest());
		if (owner != null && owner != job) {
			job.supersededBy = owner.id();
			end(job, JobState.SUPERSEDED);
			return true;
		}
		this.store.tickets.put(job.digest(), job.id());
		return false;
	}

	/**
	 * Bring a job back from a run to its place.
	 */
	void comeBack(MemoryJob job) {
		if (!endsInsteadOfWaiting(job) && !isSuperseded(job)) {
			ready(job);
		}
	}

	/**
	 * Bring a job back from a run to wait for a time.
	 */
	void comeBackAt(MemoryJob job, long due) {
		if (!isSuperseded(job)) {
			waitFor(job, JobState.RETRY, due);
		}
	}

	/**
	 * Release the key lease of a run, but for the rest of the time that it is to be held
	 * at least.
	 */
	void release(MemoryJob job, MemoryJob.@Nullable Run run, long startedAt) {
		if (run == null || !run.keyLeased) {
			return;
		}
		long heldUntil = startedAt + job.spec.holdAtLeast().toMillis();
		this.store.space.release(job.digest(), run.token, heldUntil);
		if (heldUntil <= this.store.now) {
			promote(job.digest());
		}
	}

	/**
	 * Make the first job that is parked for a key ready, in each queue, if the key is
	 * free. One that was promoted and is still ready is the first as long as no job
	 * before it has been parked since.
	 */
	void promote(String digest) {
		if (this.store.lock(digest) != null) {
			return;
		}
		Set<String> queues = new LinkedHashSet<>();
		List<MemoryJob> waiting = this.store.jobs(
				(job) -> job.digest().equals(digest) && (job.is(JobState.PARKED) || job.promoted),
				Comparator.comparing((job) -> job.sequence));
		for (MemoryJob job : waiting) {
			if (queues.add(job.queue()) && job.is(JobState.PARKED)) {
				ready(job);
				job.promoted = true;
				tell(new JobPromoted(job.id(), job.name(), job.queue()));
			}
		}
	}

}
