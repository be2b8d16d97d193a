package io.locket.schedule;

import java.time.Duration;

import io.locket.queue.QueueHarness;

/**
 * A store of schedules under test and the queue beside it, with their time driven by
 * hand.
 */
interface ScheduleHarness extends AutoCloseable {

	ScheduleStore store();

	/**
	 * Return the queue.
	 */
	QueueHarness queue();

	/**
	 * Take the lease of a key from whoever has it.
	 */
	LeaseProof hold(String name, Duration period);

	/**
	 * Give a lease back.
	 */
	void release(LeaseProof proof);

	@Override
	void close();

}
