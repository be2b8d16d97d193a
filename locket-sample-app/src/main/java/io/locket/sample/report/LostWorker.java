package io.locket.sample.report;

import java.util.List;
import java.util.UUID;

import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;

import org.springframework.stereotype.Component;

/**
 * A worker that takes a job and never renews its leases, as a worker does that is killed.
 * No other worker serves its queue.
 */
@Component
class LostWorker {

	static final String QUEUE = "archive";

	private static final String NAME = "lost-worker";

	private final JobQueue queue;

	private final JobAdministration administration;

	LostWorker(JobQueue queue, JobAdministration administration) {
		this.queue = queue;
		this.administration = administration;
	}

	/**
	 * Takes a job of its queue. The job is reclaimed when its run lease expires.
	 * @return the number of jobs taken
	 */
	int take() {
		return this.queue
			.reserve(new ReservationRequest(UUID.randomUUID().toString(), NAME, NAME, NAME,
					List.of(new QueueLimit(QUEUE, 0)), 1))
			.jobs()
			.size();
	}

	/**
	 * Moves what the worker has left behind to a queue that is served.
	 * @param target the queue
	 * @return the number of jobs moved
	 */
	long replace(String target) {
		return this.administration.move(JobFilter.waiting().queue(QUEUE), target).done();
	}

}
