package io.locket.examples.migration.resque;

import java.time.Instant;
import java.util.List;

import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.job.administration.UpdateSummary;
import io.locket.queue.JobRecord;

import org.springframework.stereotype.Component;

@Component
class Delayed {

	private final JobAdministration jobs;

	Delayed(JobAdministration jobs) {
		this.jobs = jobs;
	}

	String update(Instant startedAt, Instant due) {
		JobAdministration jobs = this.jobs;
		JobFilter delayed = JobFilter.delayed();
		long size = jobs.delayed().queue("emails").count();
		List<JobRecord> peek = jobs.delayed().jobs().limit(50).toList();
		UpdateSummary removed = jobs.cancel(delayed.job("emails.remind").arguments(7, startedAt));
		UpdateSummary removedAt = jobs.cancel(delayed.job("emails.remind").arguments(8, startedAt).dueAt(due));
		UpdateSummary run = jobs.runNow(delayed.job("emails.remind").arguments(9, startedAt));
		UpdateSummary reset = jobs.cancel(delayed);

		return size + " " + peek.stream().map((job) -> job.arguments().substring(1, 2)).toList() + " " + removed.done()
				+ " " + removedAt.done() + " " + run.done() + " " + reset.done();
	}

}
