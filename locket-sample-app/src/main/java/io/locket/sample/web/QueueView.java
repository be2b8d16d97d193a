package io.locket.sample.web;

import io.locket.JobState;
import io.locket.queue.QueueCounts;

/**
 * A queue as the outside sees it.
 *
 * @param queue its name
 * @param paused whether it is paused
 * @param ready how many jobs wait for a worker
 * @param parked how many wait for the lease of their key
 * @param later how many wait for their due time or their next attempt
 * @param running how many run
 * @param succeeded how many have succeeded since the queue began
 * @param deadLetters how many have failed for the last time, and wait for somebody to
 * look
 */
record QueueView(String queue, boolean paused, long ready, long parked, long later, long running, long succeeded,
		long deadLetters) {

	static QueueView of(QueueCounts counts) {
		return new QueueView(counts.queue(), counts.paused(), counts.in(JobState.READY), counts.in(JobState.PARKED),
				counts.in(JobState.SCHEDULED) + counts.in(JobState.RETRY), counts.in(JobState.RUNNING),
				counts.in(JobState.SUCCEEDED), counts.deadLetters());
	}

}
