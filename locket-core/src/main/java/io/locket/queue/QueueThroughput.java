package io.locket.queue;

import java.util.Objects;

/**
 * Numbers of events of a queue in the time of a {@link ThroughputSample}. Immutable.
 *
 * @param queue the name of the queue, empty for the sum of the queues that are too many
 * @param accepted the number of accepted jobs
 * @param succeeded the number of jobs that succeeded
 * @param failedAttempts the number of failed attempts
 * @param dead the number of jobs whose last attempt failed
 * @param discarded the number of discarded jobs
 * @param superseded the number of superseded jobs
 * @param cancelled the number of cancelled jobs
 * @param removed the number of jobs removed with their queue
 */
public record QueueThroughput(String queue, long accepted, long succeeded, long failedAttempts, long dead,
		long discarded, long superseded, long cancelled, long removed) {

	public QueueThroughput {
		Objects.requireNonNull(queue, "'queue' must not be null");
	}

	/**
	 * Returns the sums of both, under the name of this one.
	 * @param other the other numbers
	 * @return the sums
	 */
	public QueueThroughput plus(QueueThroughput other) {
		return new QueueThroughput(this.queue, this.accepted + other.accepted, this.succeeded + other.succeeded,
				this.failedAttempts + other.failedAttempts, this.dead + other.dead, this.discarded + other.discarded,
				this.superseded + other.superseded, this.cancelled + other.cancelled, this.removed + other.removed);
	}

	/**
	 * Returns the sum of all numbers.
	 * @return the sum
	 */
	public long sum() {
		return this.accepted + this.succeeded + this.failedAttempts + this.dead + this.discarded + this.superseded
				+ this.cancelled + this.removed;
	}

}
