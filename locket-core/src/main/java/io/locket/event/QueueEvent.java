package io.locket.event;

/**
 * Event of a queued job. Also published as an application event. Published by the process
 * whose call to the store caused it.
 */
public sealed interface QueueEvent extends JobEvent permits JobEnqueued, JobDuplicated, JobReplaced, EnqueueUnavailable,
		EnqueueRefused, JobStarted, JobParked, JobPromoted, JobReclaimed, JobReturned, JobRetried, JobMoved, JobEnded {

	/**
	 * Returns the id of the job.
	 * @return the id
	 */
	String id();

	/**
	 * Returns the name of the job.
	 * @return the name
	 */
	String job();

	/**
	 * Returns the queue of the job.
	 * @return the name of the queue
	 */
	String queue();

}
