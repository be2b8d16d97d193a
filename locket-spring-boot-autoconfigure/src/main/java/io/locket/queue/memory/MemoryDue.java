package io.locket.queue.memory;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.event.JobReclaimed;
import io.locket.lease.memory.KeyLock;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link InMemoryJobQueue} serves first in each reservation: what time alone
 * brings about.
 */
class MemoryDue {

	/**
	 * How many jobs of a kind one call serves.
	 */
	static final int BOUND = 20;

	final MemoryStore store;

	private final MemoryLife life;

	private final int maxReclaims;

	MemoryDue(MemoryLife life, int maxReclaims) {
		this.store = life.store;
		this.life = life;
		this.maxReclaims = maxReclaims;
	}

	/**
	 * Serve what is due.
	 * @return whether a bound was reached
	 */
	boolean serve() {
		List<MemoryJob> dead = this.store.jobs((job) -> deadline(job) <= this.store.now,
				Comparator.comparingLong(MemoryDue::deadline).thenComparing(MemoryJob::id));
		dead.stream().limit(BOUND).forEach(this::reclaim);
		List<MemoryJob> due = this.store.jobs((job) -> dueAt(job) <= this.store.now,
				Comparator.comparingLong(MemoryDue::dueAt).thenComparing(MemoryJob::id));
		due.stream().limit(BOUND).forEach(this.life::line);
		parkedKeys().forEach(this.life::promote);
		return dead.size() > BOUND || due.size() > BOUND;
	}

	void reclaim(MemoryJob job) {
		MemoryJob.Run run = Objects.requireNonNull(job.run);
		this.store.space.release(job.digest(), run.token, this.store.now);
		comeBack(job);
		if (run.keyLeased) {
			this.life.promote(job.digest());
		}
	}

	private void comeBack(MemoryJob job) {
		job.reclaims++;
		boolean failed = this.maxReclaims > 0 && job.reclaims % this.maxReclaims == 0;
		if (failed) {
			job.attempt++;
			job.lastError = "The worker of this job died " + job.reclaims + " times, the last time on " + job.instance;
		}
		if (this.life.endsInsteadOfWaiting(job)) {
			return;
		}
		if (failed && job.attempt > job.spec.retries()) {
			this.life.end(job, JobState.DEAD);
			return;
		}
		this.life.comeBack(job);
		if (job.is(JobState.READY)) {
			this.life.tell(new JobReclaimed(job.id(), job.name(), job.queue(), job.reclaims, job.ran(this.store.now)));
		}
	}

	private static long deadline(MemoryJob job) {
		return (job.run != null) ? job.run.deadline : Long.MAX_VALUE;
	}

	private static long dueAt(MemoryJob job) {
		return (isTimed(job) && job.due != null) ? job.due : Long.MAX_VALUE;
	}

	private static boolean isTimed(MemoryJob job) {
		return job.is(JobState.SCHEDULED) || job.is(JobState.RETRY);
	}

	private Iterable<String> parkedKeys() {
		TreeSet<String> digests = new TreeSet<>();
		this.store.jobs.values()
			.stream()
			.filter((job) -> job.is(JobState.PARKED))
			.map(MemoryJob::digest)
			.forEach(digests::add);
		return digests;
	}

	/**
	 * Return when something is due next, or {@code null}.
	 */
	@Nullable Long next() {
		return this.store.jobs.values().stream().flatMap(this::times).min(Comparator.naturalOrder()).orElse(null);
	}

	private Stream<Long> times(MemoryJob job) {
		if (isTimed(job)) {
			return Stream.of(job.due);
		}
		if (job.run != null) {
			return Stream.of(job.run.deadline);
		}
		KeyLock lock = this.store.lock(job.digest());
		return (job.is(JobState.PARKED) && lock != null) ? Stream.of(lock.expiresAt()) : Stream.empty();
	}

}
