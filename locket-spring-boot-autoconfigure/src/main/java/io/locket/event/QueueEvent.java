package io.locket.event;

/**
 * Something that happened to a queued job. Published as an application event too, by the
 * process whose call to the store brought it about.
 */
public sealed interface QueueEvent extends JobEvent permits JobEnqueued, JobDuplicated, JobReplaced, EnqueueUnavailable,
		JobStarted, JobParked, JobPromoted, JobReclaimed, JobReturned, JobRetried, JobMoved, JobEnded {

	/**
	 * Return the id of the job.
	 * @return the id
	 */
	String id();

	/**
	 * Return the name of the job.
	 * @return the name
	 */
	String job();

	/**
	 * Return the queue of the job.
	 * @return the name of the queue
	 */
	String queue();

}
