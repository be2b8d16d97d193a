package io.locket.examples.queues;

import java.util.List;

import io.locket.job.JobAdministration;
import io.locket.queue.Violation;

import org.springframework.stereotype.Component;

@Component
class Operator {

	private final JobAdministration jobs;

	Operator(JobAdministration jobs) {
		this.jobs = jobs;
	}

	List<Violation> operate(String id) {
		JobAdministration jobs = this.jobs;
		jobs.counts("invoices");
		jobs.find(id);
		jobs.cancel(id);
		jobs.pause("invoices");
		jobs.resume("invoices");
		jobs.remove("invoices");
		jobs.verify();
		jobs.repair();
		return jobs.verify();
	}

}
