package io.locket.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.event.JobEvent;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;

/**
 * Queue under test in its own namespace, with a manually driven clock, and its lock space
 * as other users see it.
 */
public interface QueueHarness extends AutoCloseable {

	/**
	 * Returns the queue. A job is dead after its retries, and every third reclaim is a
	 * failed attempt.
	 */
	JobQueue queue();

	/**
	 * Returns the administration port of the same queues.
	 */
	JobStore store();

	/**
	 * Returns the events published so far.
	 */
	List<JobEvent> events();

	/**
	 * Returns the time of the store.
	 */
	Instant now();

	/**
	 * Advances the time. Everything that expires meanwhile has expired afterwards.
	 */
	void advance(Duration duration);

	/**
	 * Takes a key as a plain lock registry does, from any holder.
	 */
	void takeForeign(JobKey key, Duration period);

	/**
	 * Deletes the lock of a key, regardless of its holder, without a notification.
	 */
	void releaseForeign(JobKey key);

	/**
	 * Claims a key for a period, as a direct call of an {@code UNTIL_EXPIRED} job does.
	 */
	void claim(JobKey key, Duration period);

	/**
	 * Returns the holder of claims.
	 */
	default LeaseHolder claimant() {
		return new LeaseHolder("host/2/direct", "main", now(), 1);
	}

	@Override
	default void close() {
	}

}
