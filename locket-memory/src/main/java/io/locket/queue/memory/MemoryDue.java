package io.locket.queue.memory;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.event.JobReclaimed;
import io.locket.lease.memory.KeyLock;
import org.jspecify.annotations.Nullable;

/**
 * Due jobs and expired leases of the {@link InMemoryJobQueue}, which each reservation
 * serves first.
 */
class MemoryDue {

	/**
	 * Maximum number of jobs of a kind that one call serves.
	 */
	static final int BOUND = 20;

	final MemoryStore store;

	private final MemoryLife life;

	private final MemoryAside aside;

	private final int maxReclaims;

	MemoryDue(MemoryLife life, int maxReclaims) {
		this.store = life.store;
		this.life = life;
		this.aside = new MemoryAside(life);
		this.maxReclaims = maxReclaims;
	}

	/**
	 * Serves all due times and expired leases, up to the bound.
	 * @return whether a bound was reached
	 */
	boolean serve() {
		List<MemoryJob> dead = this.store.index.running()
			.stream()
			.filter((job) -> deadline(job) <= this.store.now)
			.sorted(Comparator.comparingLong(MemoryDue::deadline).thenComparing(MemoryJob::id))
			.toList();
		dead.stream().limit(BOUND).forEach(this::reclaim);
		List<MemoryJob> due = this.store.index.timed()
			.stream()
			.takeWhile((job) -> dueAt(job) <= this.store.now)
			.limit(BOUND + 1)
			.toList();
		due.stream().limit(BOUND).forEach(this::comeDue);
		List.copyOf(this.store.index.parkedKeys()).forEach(this.life::promote);
		this.store.forgetRemoved();
		return dead.size() > BOUND || due.size() > BOUND;
	}

	private void comeDue(MemoryJob job) {
		if (job.aside && this.aside.isGivenUp(job)) {
			this.aside.giveUp(job);
		}
		else {
			this.life.append(job);
		}
	}

	void reclaim(MemoryJob job) {
		MemoryJob.Run run = Objects.requireNonNull(job.run);
		// The queue may have been full.
		this.store.notified.add(job.queue());
		this.store.space.release(job.digest(), run.token, this.store.now);
		comeBack(job);
		if (run.keyLeased) {
			this.life.promote(job.digest());
		}
	}

	private void comeBack(MemoryJob job) {
		job.reclaims++;
		job.bodyRan = true;
		job.deferredSince = null;
		boolean failed = this.maxReclaims > 0 && job.reclaims % this.maxReclaims == 0;
		if (failed) {
			job.lastError = "The worker of this job died " + job.reclaims + " times, the last time on " + job.instance;
			this.life.failed(job, job.lastError, null);
		}
		if (this.life.endIfCancelledOrRemoved(job)) {
			return;
		}
		if (failed && job.attempt > job.spec.retries()) {
			this.life.end(job, JobState.DEAD);
			return;
		}
		this.life.comeBack(job);
		if (job.is(JobState.READY)) {
			this.life
				.addEvent(new JobReclaimed(job.id(), job.name(), job.queue(), job.reclaims, job.ran(this.store.now)));
		}
	}

	private static long deadline(MemoryJob job) {
		return Objects.requireNonNull(job.run).deadline;
	}

	private static long dueAt(MemoryJob job) {
		return Objects.requireNonNull(job.due);
	}

	/**
	 * Returns the next due time, or {@code null} if there is none.
	 */
	@Nullable Long next() {
		Stream<Long> due = this.store.index.timed().stream().limit(1).map(MemoryDue::dueAt);
		Stream<Long> deadlines = this.store.index.running().stream().map(MemoryDue::deadline);
		Stream<Long> ends = this.store.index.parkedKeys()
			.stream()
			.flatMap((digest) -> Stream.ofNullable(this.store.lock(digest)))
			.map(KeyLock::expiresAt);
		return Stream.of(due, deadlines, ends).flatMap(Function.identity()).min(Comparator.naturalOrder()).orElse(null);
	}

}
