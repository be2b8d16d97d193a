package io.locket.examples.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.locket.JobState;
import io.locket.job.JobAdministration;
import io.locket.job.JobFilter;
import io.locket.job.PutBackSummary;
import io.locket.job.SteerSummary;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.Violation;
import io.locket.queue.WorkerSighting;

import org.springframework.stereotype.Component;

@Component
class Administrator {

	private final JobAdministration jobs;

	Administrator(JobAdministration jobs) {
		this.jobs = jobs;
	}

	String look(String id) {
		JobAdministration jobs = this.jobs;
		List<QueueCounts> counts = jobs.counts();
		long ready = jobs.counts("invoices").in(JobState.READY);
		long letters = jobs.counts("invoices").deadLetters();

		JobPage page = jobs.list(JobFilter.dead().queue("invoices"), 50, null);
		JobPage next = jobs.list(JobFilter.dead().queue("invoices"), 50, page.cursor());

		Optional<JobRecord> one = jobs.find(id);
		Object[] arguments = jobs.arguments(one.orElseThrow());

		return counts.size() + " " + ready + " " + letters + " " + page.jobs().size() + " " + next.jobs().size() + " "
				+ List.of(arguments);
	}

	String watch() {
		JobAdministration jobs = this.jobs;
		StoreOverview overview = jobs.overview();
		QueueOverview first = overview.queues().get(0);
		Duration oldest = first.oldestWaiting();

		List<WorkerSighting> workers = jobs.workers();

		return first.counts().queue() + " " + overview.queues().size() + " " + (oldest != null) + " "
				+ workers.get(0).instance();
	}

	void steerOne(String id) {
		JobAdministration jobs = this.jobs;
		jobs.cancel(id);
		jobs.move(id, "slow");
		jobs.runNow(id);
		jobs.putBack(id);
		jobs.dismiss(id);
	}

	String steerMany(Instant requestedAt, Instant midnight) {
		JobAdministration jobs = this.jobs;
		JobFilter one = JobFilter.waiting().job("billing.bill").arguments(42, "2026-05", requestedAt);
		JobFilter tomorrow = JobFilter.delayed().queue("mail").dueFrom(midnight);
		JobFilter broken = JobFilter.dead()
			.matching((job) -> job.lastError() != null && job.lastError().contains("SMTP"));

		SteerSummary cancelled = jobs.cancel(one);
		SteerSummary moved = jobs.move(tomorrow, "slow");
		PutBackSummary back = jobs.putBack(broken);

		return cancelled.done() + " " + moved.done() + " " + back.accepted();
	}

	long clearUp() {
		JobAdministration jobs = this.jobs;
		jobs.pause("invoices");
		jobs.resume("invoices");
		long removed = jobs.remove("invoices");
		List<Violation> violations = jobs.verify();
		List<Violation> mended = jobs.repair();

		return removed + violations.size() + mended.size();
	}

}
