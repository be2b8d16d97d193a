package io.locket.sample.web;

import io.locket.JobState;
import io.locket.queue.QueueCounts;

/**
 * JSON view of a queue.
 *
 * @param queue its name
 * @param paused whether it is paused
 * @param ready the number of jobs that wait for a worker
 * @param parked the number of jobs that wait for the lease of their key
 * @param later the number of jobs that wait for their due time or their next attempt
 * @param running the number of running jobs
 * @param succeeded the number of jobs that ever succeeded
 * @param deadLetters the number of dead letters
 */
record QueueView(String queue, boolean paused, long ready, long parked, long later, long running, long succeeded,
		long deadLetters) {

	static QueueView of(QueueCounts counts) {
		return new QueueView(counts.queue(), counts.paused(), counts.in(JobState.READY), counts.in(JobState.PARKED),
				counts.in(JobState.SCHEDULED) + counts.in(JobState.RETRY), counts.in(JobState.RUNNING),
				counts.in(JobState.SUCCEEDED), counts.deadLetters());
	}

}
