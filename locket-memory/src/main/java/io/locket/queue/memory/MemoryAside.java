package io.locket.queue.memory;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import io.locket.JobState;
import io.locket.RetryReason;

/**
 * Jobs of the {@link InMemoryJobQueue} that are set aside until a worker with a handler
 * for them polls.
 */
final class MemoryAside {

	/**
	 * Time that a job waits for a worker with a handler for it before it is dead.
	 */
	private static final Duration GIVEN_UP_AFTER = Duration.ofHours(24);

	/**
	 * Delay of a job that is not set aside because jobs of too many names already are.
	 */
	private static final Duration UNKNOWN_DELAY = Duration.ofSeconds(30);

	private static final int NAMES = 32;

	private final MemoryStore store;

	private final MemoryLife life;

	MemoryAside(MemoryLife life) {
		this.store = life.store;
		this.life = life;
	}

	/**
	 * Sets a ready job aside.
	 */
	void setAside(MemoryJob job) {
		boolean listed = isListable(job);
		waitFor(job, waitsUntil(job, listed), listed);
	}

	/**
	 * Lets a job wait for a worker with a handler for it.
	 * @param until the time until which it waits
	 * @param listed whether the job is set aside meanwhile
	 */
	void waitFor(MemoryJob job, long until, boolean listed) {
		this.life.waitFor(job, JobState.RETRY, until);
		job.retryReason = RetryReason.DEFERRED;
		this.store.change(job, () -> job.aside = listed);
	}

	/**
	 * Returns the time until which a job waits for a worker with a handler for it.
	 * @param listed whether the job is set aside meanwhile
	 */
	long waitsUntil(MemoryJob job, boolean listed) {
		job.deferredSince = Objects.requireNonNullElse(job.deferredSince, this.store.now);
		return listed ? job.deferredSince + GIVEN_UP_AFTER.toMillis() : this.store.now + UNKNOWN_DELAY.toMillis();
	}

	/**
	 * Returns whether a job of this name may be set aside in its queue.
	 */
	boolean isListable(MemoryJob job) {
		Set<String> names = this.store.index.aside(job.queue()).keySet();
		return names.contains(job.name()) || names.size() < NAMES;
	}

	/**
	 * Returns whether a job has waited too long for a worker with a handler for it.
	 */
	boolean isGivenUp(MemoryJob job) {
		return job.deferredSince != null && this.store.now - job.deferredSince >= GIVEN_UP_AFTER.toMillis();
	}

	/**
	 * Ends a job for which no worker has a handler.
	 */
	void giveUp(MemoryJob job) {
		job.lastError = "No worker has known this job for a day";
		this.life.end(job, JobState.DEAD);
	}

}
