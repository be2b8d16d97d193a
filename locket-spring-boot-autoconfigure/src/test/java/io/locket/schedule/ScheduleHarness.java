package io.locket.schedule;

import java.time.Duration;

import io.locket.queue.QueueHarness;

/**
 * Store of schedules under test and the queue beside it, with a manually driven clock.
 */
public interface ScheduleHarness extends AutoCloseable {

	ScheduleStore store();

	/**
	 * Returns the queue.
	 */
	QueueHarness queue();

	/**
	 * Takes the lease of a key from any holder.
	 */
	LeaseProof hold(String name, Duration period);

	/**
	 * Gives a lease back.
	 */
	void release(LeaseProof proof);

	/**
	 * Returns an action that restores the records of all schedules as they are now, as a
	 * fail-over to a replica that lags does. Jobs stay.
	 */
	Runnable backup();

	@Override
	void close();

}
