package io.locket.examples.migration.resque;

import java.time.Instant;
import java.util.List;

import io.locket.job.JobAdministration;
import io.locket.job.JobFilter;
import io.locket.job.SteerSummary;
import io.locket.queue.JobRecord;

import org.springframework.stereotype.Component;

@Component
class Delayed {

	private final JobAdministration jobs;

	Delayed(JobAdministration jobs) {
		this.jobs = jobs;
	}

	String steer(Instant startedAt, Instant due) {
		JobAdministration jobs = this.jobs;
		JobFilter delayed = JobFilter.delayed();
		long size = jobs.delayed().queue("emails").count();
		List<JobRecord> peek = jobs.delayed().jobs().limit(50).toList();
		SteerSummary removed = jobs.cancel(delayed.job("emails.remind").arguments(7, startedAt));
		SteerSummary removedAt = jobs.cancel(delayed.job("emails.remind").arguments(8, startedAt).dueAt(due));
		SteerSummary run = jobs.runNow(delayed.job("emails.remind").arguments(9, startedAt));
		SteerSummary reset = jobs.cancel(delayed);

		return size + " " + peek.stream().map((job) -> job.arguments().substring(1, 2)).toList() + " " + removed.done()
				+ " " + removedAt.done() + " " + run.done() + " " + reset.done();
	}

}
