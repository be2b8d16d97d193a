package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.RetryReason;
import io.locket.event.JobRetried;
import io.locket.lease.memory.KeyLock;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import org.jspecify.annotations.Nullable;

/**
 * Single reservation of the {@link InMemoryJobQueue}.
 */
class MemoryReservation {

	/**
	 * Maximum number of jobs with a held key that one call checks in each queue.
	 */
	static final int CHECKS = 10;

	private final MemoryStore store;

	private final MemoryLife life;

	private final MemoryAside aside;

	private final MemoryDue due;

	/**
	 * Interval at which a request without a result is recorded again, so that the worker
	 * stays listed.
	 */
	private static final Duration SEEN_AGAIN = Duration.ofMinutes(30);

	private final ReservationRequest request;

	private final Predicate<String> ids;

	private final List<ReservedJob> reply = new ArrayList<>();

	private boolean cutShort;

	private boolean over;

	/**
	 * Creates a reservation.
	 * @param ids selects the jobs to take, by their ids
	 */
	MemoryReservation(MemoryLife life, MemoryDue due, ReservationRequest request, Predicate<String> ids) {
		this.store = life.store;
		this.life = life;
		this.aside = new MemoryAside(life);
		this.due = due;
		this.request = request;
		this.ids = ids;
	}

	Reservation take() {
		MemoryStore.LastRequest last = this.store.requests.get(this.request.poller());
		if (last != null && last.id().equals(this.request.id())) {
			return replay();
		}
		this.cutShort = this.due.serve();
		for (ReservationRequest.QueueLimit limit : this.request.queues()) {
			walk(limit);
		}
		record(last);
		return new Reservation(this.reply, this.cutShort, idle(), next());
	}

	/**
	 * Records the request for its repetition, and to list the worker. A request that was
	 * cut short before it found a job is not recorded, because its repetition has to
	 * continue.
	 */
	private void record(MemoryStore.@Nullable LastRequest last) {
		Instant now = Instant.ofEpochMilli(this.store.now);
		boolean seen = !this.cutShort && (last == null || !last.time().isAfter(now.minus(SEEN_AGAIN))
				|| last.time().isAfter(now) || last.time().isBefore(this.store.pollsRequestedAt));
		if (seen || !this.reply.isEmpty()) {
			this.store.requests.put(this.request.poller(),
					new MemoryStore.LastRequest(this.request.id(), this.request.instance(), now));
		}
	}

	private Reservation replay() {
		this.store.index.running()
			.stream()
			.filter((job) -> job.run != null && job.run.request.equals(this.request.id()))
			.sorted(Comparator.comparingLong((job) -> Objects.requireNonNull(job.run).fence))
			.forEach((job) -> this.reply.add(reserved(job, Objects.requireNonNull(job.run))));
		return new Reservation(this.reply, false, Set.of(), next());
	}

	private void walk(ReservationRequest.QueueLimit limit) {
		if (this.store.isPaused(limit.queue())) {
			return;
		}
		int checks = 0;
		boolean yielded = false;
		for (MemoryJob job : candidates(limit.queue(), this.request.slots() + CHECKS)) {
			if (isOver(limit) || checks == CHECKS) {
				break;
			}
			if (leavesOut(job)) {
				setAside(job);
				checks++;
				continue;
			}
			if (job.reclaims > 0 && !this.reply.isEmpty()) {
				this.cutShort = true;
				this.over = true;
				return;
			}
			if (yields(job)) {
				// The job may have been ready before, so its queue has no other
				// notification.
				this.store.notified.add(job.queue());
				yielded = true;
				checks++;
				continue;
			}
			if (job.aside) {
				this.life.bringBack(job);
			}
			KeyLock lock = job.lock().leasesQueuedRuns() ? this.store.lock(job.digest()) : null;
			if (lock == null) {
				start(job, job.lock().leasesQueuedRuns(), null);
			}
			else {
				refuse(job, lock);
				checks++;
			}
			if (job.is(JobState.RUNNING) && job.reclaims > 0) {
				this.cutShort |= this.reply.size() < this.request.slots();
				this.over = true;
			}
		}
		// Also if no other job is left, which the store on Redis does not find out.
		if (checks == CHECKS && !isOver(limit)) {
			this.cutShort |= !yielded;
		}
	}

	private boolean isOver(ReservationRequest.QueueLimit limit) {
		return this.over || this.reply.size() >= this.request.slots() || this.store.isFull(limit);
	}

	private boolean yields(MemoryJob job) {
		return job.lock().leasesQueuedRuns() && this.store.lock(job.digest()) == null && this.store.older.isBefore(job);
	}

	/**
	 * Returns the first of the selected jobs that are ready, or that are set aside and
	 * may have a handler in this worker.
	 */
	private List<MemoryJob> candidates(String queue, int limit) {
		Stream<NavigableSet<MemoryJob>> aside = this.store.index.aside(queue)
			.entrySet()
			.stream()
			.filter((jobs) -> !this.request.leavesOut().contains(jobs.getKey()))
			.map(Map.Entry::getValue);
		return Stream.concat(Stream.of(this.store.index.jobs(queue, JobState.READY)), aside)
			.flatMap((jobs) -> jobs.stream().filter((job) -> this.ids.test(job.id())).limit(limit))
			.sorted(MemoryIndex.PLACES)
			.limit(limit)
			.toList();
	}

	private boolean leavesOut(MemoryJob job) {
		return this.request.leavesOut().contains(job.name());
	}

	private void setAside(MemoryJob job) {
		boolean promoted = job.promoted;
		if (this.aside.isGivenUp(job)) {
			this.aside.giveUp(job);
		}
		else {
			job.lastError = "The last worker that came by does not know this job: it waits for one that does";
			this.aside.setAside(job);
		}
		if (promoted) {
			this.cutShort = true;
			this.life.promote(job.digest());
		}
	}

	/**
	 * Applies the conflict strategy of a job whose key is held.
	 */
	private void refuse(MemoryJob job, KeyLock lock) {
		if (job.id().equals(lock.job())) {
			park(job);
			return;
		}
		switch (job.spec.onConflict()) {
			case RAISE -> start(job, false, lock);
			case REJECT -> this.life.end(job, JobState.DISCARDED);
			case RESCHEDULE -> reschedule(job);
			default -> park(job);
		}
	}

	/**
	 * Parks a job. A worker with a handler has found it, so it no longer counts as
	 * unknown.
	 */
	private void park(MemoryJob job) {
		job.deferredSince = null;
		this.life.park(job);
	}

	private void reschedule(MemoryJob job) {
		Duration delay = job.spec.rescheduleAfter();
		job.retryReason = RetryReason.RESCHEDULED;
		job.deferredSince = null;
		this.life.waitFor(job, JobState.RETRY, this.store.now + delay.toMillis());
		this.life.addEvent(new JobRetried(job.id(), job.name(), job.queue(), job.attempt, delay, null, null));
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
		return new ReservedJob(job.toRecord(), run.token, run.keyLeased ? run.fence : 0, run.keyLeased, run.conflict,
				run.conflictFor);
	}

	private Set<String> idle() {
		Set<String> idle = new LinkedHashSet<>();
		for (ReservationRequest.QueueLimit limit : this.request.queues()) {
			if (this.store.isPaused(limit.queue()) || this.store.isFull(limit)
					|| candidates(limit.queue(), 1).isEmpty()) {
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
