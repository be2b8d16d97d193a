package io.locket.queue.memory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import io.locket.lease.memory.KeyLock;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;

/**
 * Test driver of an {@link InMemoryJobQueue} for what no producer or worker can do: let
 * time pass, take selected jobs, expire the leases of a run, and clear the store.
 * Thread-safe.
 */
public final class InMemoryQueueDriver {

	private final InMemoryJobQueue queue;

	private final MemoryStore store;

	/**
	 * Creates a driver.
	 * @param queue the queue to drive
	 */
	public InMemoryQueueDriver(InMemoryJobQueue queue) {
		this.queue = queue;
		this.store = queue.store;
	}

	/**
	 * Returns all jobs of the queue, including ended ones.
	 * @return the jobs, in the order in which they were enqueued
	 */
	public List<JobRecord> jobs() {
		return this.queue.steps.take(() -> this.store.jobs.values().stream().map(MemoryJob::toRecord).toList());
	}

	/**
	 * Lets time pass at once. All holders stay alive and renew their leases.
	 * @param time the duration that passes
	 * @param clock advances the clock of the lock space by that duration
	 */
	public void letPass(Duration time, Runnable clock) {
		this.queue.steps.run(() -> {
			long millis = time.toMillis();
			for (MemoryJob job : this.store.index.running()) {
				MemoryJob.Run run = Objects.requireNonNull(job.run);
				if (run.deadline > this.store.now) {
					run.deadline += millis;
					KeyLock lock = this.store.lock(job.digest());
					if (lock != null && lock.owner().equals(run.token)) {
						this.store.space.put(job.digest(), lock.until(run.deadline));
					}
				}
			}
			clock.run();
			this.store.notified.addAll(this.store.queues.keySet());
		});
	}

	/**
	 * Makes all due jobs ready, and reclaims jobs whose leases have expired, as the next
	 * request of a worker would. No worker is listed for that.
	 */
	public void serveDue() {
		boolean more = true;
		while (more) {
			more = this.queue.steps.take(this.queue.due::serve);
		}
	}

	/**
	 * Reserves selected jobs, like {@link InMemoryJobQueue#reserve}. All others stay in
	 * their places.
	 * @param request the request
	 * @param ids selects the jobs by their ids
	 * @return the reservation
	 */
	public Reservation reserve(ReservationRequest request, Predicate<String> ids) {
		return this.queue.reserve(request, ids);
	}

	/**
	 * Expires the leases of a running job now, as if its process had died. The job
	 * returns to its place.
	 * @param id the id of the job
	 * @return {@code false} if the job is not running
	 */
	public boolean expire(String id) {
		return this.queue.steps.take(() -> {
			MemoryJob job = this.store.jobs.get(id);
			if (job == null || job.run == null) {
				return false;
			}
			this.queue.due.reclaim(job);
			return true;
		});
	}

	/**
	 * Removes an ended job without a trace, together with its claim and the rest of its
	 * minimum hold.
	 * @param id the id of the job
	 * @return {@code false} if the job is unknown or has not ended
	 */
	public boolean forget(String id) {
		return this.queue.steps.take(() -> {
			MemoryJob job = this.store.jobs.get(id);
			if (job == null || !job.state.isEnded()) {
				return false;
			}
			this.store.forget(job);
			this.queue.life.promote(job.digest());
			return true;
		});
	}

	/**
	 * Removes all jobs, queues, locks and claims. All holders lose their leases.
	 */
	public void clear() {
		this.queue.steps.run(() -> {
			this.store.clear();
			this.queue.minutes.clear();
			this.store.space.clear();
		});
	}

}
