package io.locket.queue;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link ModelQueue} serves first in each reservation: what time alone brings
 * about.
 */
class ModelDue {

	/**
	 * How many jobs of a kind one call serves.
	 */
	static final int BOUND = 20;

	final ModelStore store;

	private final ModelLife life;

	private final int maxReclaims;

	ModelDue(ModelLife life, int maxReclaims) {
		this.store = life.store;
		this.life = life;
		this.maxReclaims = maxReclaims;
	}

	/**
	 * Serve what is due.
	 * @return whether a bound was reached
	 */
	boolean serve() {
		List<ModelJob> dead = this.store.jobs((job) -> job.run != null && job.run.deadline <= this.store.now,
				Comparator.<ModelJob>comparingLong((job) -> job.run.deadline).thenComparing(ModelJob::id));
		dead.stream().limit(BOUND).forEach(this::reclaim);
		List<ModelJob> due = this.store.jobs((job) -> isTimed(job) && job.due <= this.store.now,
				Comparator.<ModelJob>comparingLong((job) -> job.due).thenComparing(ModelJob::id));
		due.stream().limit(BOUND).forEach(this.life::line);
		parkedKeys().forEach(this.life::promote);
		return dead.size() > BOUND || due.size() > BOUND;
	}

	void reclaim(ModelJob job) {
		ModelJob.Run run = Objects.requireNonNull(job.run);
		if (this.store.isLockedBy(job.digest(), run.token)) {
			this.store.locks.remove(job.digest());
		}
		comeBack(job);
		if (run.keyLeased) {
			this.life.promote(job.digest());
		}
	}

	private void comeBack(ModelJob job) {
		job.reclaims++;
		boolean failed = job.reclaims % this.maxReclaims == 0;
		if (failed) {
			job.attempt++;
		}
		if (this.life.endsInsteadOfWaiting(job)) {
			return;
		}
		if (failed && job.attempt > job.spec.retries()) {
			job.lastError = "its workers died";
			this.life.end(job, JobState.DEAD);
			return;
		}
		this.life.comeBack(job);
	}

	private static boolean isTimed(ModelJob job) {
		return job.is(JobState.SCHEDULED) || job.is(JobState.RETRY);
	}

	private Iterable<String> parkedKeys() {
		TreeSet<String> digests = new TreeSet<>();
		this.store.jobs.values()
			.stream()
			.filter((job) -> job.is(JobState.PARKED))
			.map(ModelJob::digest)
			.forEach(digests::add);
		return digests;
	}

	/**
	 * Return when something is due next, or {@code null}.
	 */
	@Nullable Long next() {
		return this.store.jobs.values().stream().flatMap(this::times).min(Comparator.naturalOrder()).orElse(null);
	}

	private Stream<Long> times(ModelJob job) {
		if (isTimed(job)) {
			return Stream.of(job.due);
		}
		if (job.run != null) {
			return Stream.of(job.run.deadline);
		}
		ModelStore.Lock lock = this.store.lock(job.digest());
		return (job.is(JobState.PARKED) && lock != null) ? Stream.of(lock.expiresAt()) : Stream.empty();
	}

}
