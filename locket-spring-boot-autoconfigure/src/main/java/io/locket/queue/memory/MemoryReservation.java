package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.event.JobRetried;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservedJob;
import org.jspecify.annotations.Nullable;

/**
 * One reservation of the {@link InMemoryJobQueue}.
 */
class MemoryReservation {

	/**
	 * How many jobs of a queue that find their key taken one call looks at.
	 */
	static final int LOOKS = 10;

	private final MemoryStore store;

	private final MemoryLife life;

	private final MemoryDue due;

	private final ReservationRequest request;

	private final List<ReservedJob> reply = new ArrayList<>();

	private boolean cutShort;

	private boolean over;

	MemoryReservation(MemoryLife life, MemoryDue due, ReservationRequest request) {
		this.store = life.store;
		this.life = life;
		this.due = due;
		this.request = request;
	}

	Reservation take() {
		MemoryStore.LastRequest last = this.store.requests.get(this.request.lane());
		if (last != null && last.id().equals(this.request.id())) {
			return replay();
		}
		this.store.requests.put(this.request.lane(), new MemoryStore.LastRequest(this.request.id(),
				this.request.instance(), Instant.ofEpochMilli(this.store.now)));
		this.cutShort = this.due.serve();
		for (ReservationRequest.QueueLimit limit : this.request.queues()) {
			walk(limit);
		}
		return new Reservation(this.reply, this.cutShort, idle(), next());
	}

	private Reservation replay() {
		for (MemoryJob job : this.store.jobs.values()) {
			if (job.run != null && job.run.request.equals(this.request.id())) {
				this.reply.add(reserved(job, job.run));
			}
		}
		this.reply.sort((left, right) -> Long.compare(left.fence(), right.fence()));
		return new Reservation(this.reply, false, Set.of(), next());
	}

	private void walk(ReservationRequest.QueueLimit limit) {
		if (this.store.isPaused(limit.queue())) {
			return;
		}
		int looks = 0;
		for (MemoryJob job : this.store.jobs(limit.queue(), JobState.READY)) {
			if (this.over || this.reply.size() >= this.request.slots() || isFull(limit)) {
				return;
			}
			if (looks == LOOKS) {
				this.cutShort = true;
				return;
			}
			if (job.reclaims > 0 && !this.reply.isEmpty()) {
				this.cutShort = true;
				this.over = true;
				return;
			}
			KeyLock lock = job.lock().leasesQueuedRuns() ? this.store.lock(job.digest()) : null;
			if (lock == null) {
				start(job, job.lock().leasesQueuedRuns(), null);
			}
			else {
				refuse(job, lock);
				looks++;
			}
			if (job.is(JobState.RUNNING) && job.reclaims > 0) {
				this.cutShort = true;
				this.over = true;
			}
		}
	}

	private boolean isFull(ReservationRequest.QueueLimit limit) {
		return limit.maxRunning() > 0 && this.store.jobs(limit.queue(), JobState.RUNNING).size() >= limit.maxRunning();
	}

	/**
	 * Do with a job whose key is taken what its conflict strategy says.
	 */
	private void refuse(MemoryJob job, KeyLock lock) {
		if (job.id().equals(lock.job())) {
			this.life.park(job);
			return;
		}
		switch (job.spec.onConflict()) {
			case RAISE -> start(job, false, lock);
			case REJECT -> this.life.end(job, JobState.DISCARDED);
			case RESCHEDULE -> reschedule(job);
			default -> this.life.park(job);
		}
	}

	private void reschedule(MemoryJob job) {
		Duration delay = job.spec.rescheduleAfter();
		this.life.waitFor(job, JobState.RETRY, this.store.now + delay.toMillis());
		this.life.tell(new JobRetried(job.id(), job.name(), job.queue(), job.attempt, delay, null, null));
	}

	private void start(MemoryJob job, boolean keyLeased, @Nullable KeyLock conflict) {
		long fence = this.store.space.nextFence();
		String token = job.id() + ":" + fence;
		long deadline = this.store.now + job.spec.leaseFor().toMillis();
		MemoryJob.Run run = new MemoryJob.Run(this.request.id(), token, fence, keyLeased, conflict, this.store.now,
				deadline);
		if (keyLeased) {
			LeaseHolder holder = new LeaseHolder(this.request.instance(), this.request.thread(),
					Instant.ofEpochMilli(this.store.now), fence);
			this.store.space.put(job.digest(),
					KeyLock.expiring(token, job.id(), job.key, holder, this.store.now, deadline));
		}
		this.life.start(job, this.request.instance(), run);
		this.reply.add(reserved(job, run));
	}

	private static ReservedJob reserved(MemoryJob job, MemoryJob.Run run) {
		return new ReservedJob(job.toRecord(), run.token, run.fence, run.keyLeased, run.conflict, run.conflictFor);
	}

	private Set<String> idle() {
		Set<String> idle = new LinkedHashSet<>();
		for (ReservationRequest.QueueLimit limit : this.request.queues()) {
			if (this.store.isPaused(limit.queue()) || isFull(limit)
					|| this.store.jobs(limit.queue(), JobState.READY).isEmpty()) {
				idle.add(limit.queue());
			}
		}
		return idle;
	}

	private @Nullable Duration next() {
		Long next = this.due.next();
		return (next != null) ? Duration.ofMillis(Math.max(0, Objects.requireNonNull(next) - this.store.now)) : null;
	}

}
