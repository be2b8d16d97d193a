package io.locket.queue.memory;

import java.time.Duration;
import java.util.List;

import io.locket.lease.memory.KeyLock;
import io.locket.queue.JobRecord;

/**
 * What a test does to an {@link InMemoryJobQueue} that no producer or worker can do: time
 * passes, a process is taken for dead, everything is forgotten. Thread-safe.
 */
public final class InMemoryQueueDriver {

	private final InMemoryJobQueue queue;

	private final MemoryStore store;

	/**
	 * Create a driver.
	 * @param queue the queue that it drives
	 */
	public InMemoryQueueDriver(InMemoryJobQueue queue) {
		this.queue = queue;
		this.store = queue.store;
	}

	/**
	 * Return every job that the queue knows.
	 * @return the jobs, in the order in which they were enqueued
	 */
	public List<JobRecord> jobs() {
		return this.queue.steps.take(() -> this.store.jobs.values().stream().map(MemoryJob::toRecord).toList());
	}

	/**
	 * Let time pass at once, while everybody who has a lease lives and renews it.
	 * @param time how much time passes
	 * @param clock moves the clock of the lock space so far
	 */
	public void letPass(Duration time, Runnable clock) {
		this.queue.steps.take(() -> {
			long millis = time.toMillis();
			for (MemoryJob job : this.store.jobs.values()) {
				MemoryJob.Run run = job.run;
				if (run != null && run.deadline > this.store.now) {
					run.deadline += millis;
					KeyLock lock = this.store.lock(job.digest());
					if (lock != null && lock.owner().equals(run.token)) {
						this.store.space.put(job.digest(), lock.until(run.deadline));
					}
				}
			}
			clock.run();
			return this.store.news.addAll(this.store.lines.keySet());
		});
	}

	/**
	 * Take the process that runs a job for dead: its leases expire now, and the job goes
	 * back to its place.
	 * @param id the id of the job
	 * @return {@code false} if it does not run
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
	 * Forget a job that has ended as if it had never been, with what is left of it: the
	 * rest of a minimum hold, and its claim.
	 * @param id the id of the job
	 * @return {@code false} if it is not known or has not ended
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
	 * Forget every job, queue, lock and claim. Whoever has a lease loses it.
	 */
	public void clear() {
		this.queue.steps.take(() -> {
			this.store.clear();
			this.store.space.clear();
			return true;
		});
	}

}
