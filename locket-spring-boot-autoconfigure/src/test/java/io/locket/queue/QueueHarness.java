package io.locket.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.event.JobEvent;

/**
 * A queue under test in a namespace of its own, with its time driven by hand, and the
 * lock space beside it as others see it.
 */
public interface QueueHarness extends AutoCloseable {

	/**
	 * Return the queue. A job is dead after its retries, and every third reclaim is a
	 * failed attempt.
	 */
	JobQueue queue();

	/**
	 * Return the same queues as operators see them.
	 */
	JobStore store();

	/**
	 * Return what has been told so far.
	 */
	List<JobEvent> events();

	/**
	 * Return the time of the store.
	 */
	Instant now();

	/**
	 * Let time pass. Whatever expires meanwhile has expired afterwards.
	 */
	void advance(Duration duration);

	/**
	 * Take a key as a plain lock registry does, from whoever has it.
	 */
	void takeForeign(JobKey key, Duration period);

	/**
	 * Delete the lock of a key, whoever has it, and tell nobody.
	 */
	void releaseForeign(JobKey key);

	/**
	 * Claim a key for a period, as a direct call of an {@code UNTIL_EXPIRED} job does.
	 */
	void claim(JobKey key, Duration period);

	/**
	 * Return who claims.
	 */
	default LeaseHolder claimant() {
		return new LeaseHolder("host/2/direct", "main", now(), 1);
	}

	@Override
	default void close() {
	}

}
