package io.locket.examples.migration.resque;

import java.time.Instant;

import io.locket.JobState;
import io.locket.job.JobAdministration;
import io.locket.job.JobFilter;
import io.locket.job.SteerSummary;
import io.locket.queue.JobPage;

import org.springframework.stereotype.Component;

@Component
class Delayed {

	private final JobAdministration jobs;

	Delayed(JobAdministration jobs) {
		this.jobs = jobs;
	}

	String steer(Instant startedAt, Instant due) {
		JobAdministration jobs = this.jobs;
		JobFilter delayed = JobFilter.inState(JobState.SCHEDULED);
		long size = jobs.counts("emails").in(JobState.SCHEDULED);
		JobPage peek = jobs.list(delayed, 50, null);
		SteerSummary removed = jobs.cancel(delayed.job("emails.remind").arguments(7, startedAt));
		SteerSummary removedAt = jobs
			.cancel(delayed.job("emails.remind").arguments(8, startedAt).dueFrom(due).dueUntil(due.plusSeconds(1)));
		SteerSummary run = jobs.runNow(delayed.job("emails.remind").arguments(9, startedAt));
		SteerSummary reset = jobs.cancel(delayed);

		return size + " " + peek.jobs().stream().map((job) -> job.arguments().substring(1, 2)).toList() + " "
				+ removed.done() + " " + removedAt.done() + " " + run.done() + " " + reset.done();
	}

}
