package io.locket.examples.administration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.locket.JobState;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.job.administration.RequeueSummary;
import io.locket.job.administration.UpdateSummary;
import io.locket.queue.FailedAttempt;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.locket.queue.ThroughputSample;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.Violation;
import io.locket.queue.WorkerInfo;

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

		List<WorkerInfo> workers = jobs.workers();

		return first.counts().queue() + " " + overview.queues().size() + " " + (oldest != null) + " "
				+ workers.get(0).instance();
	}

	String attempts(String id) {
		JobAdministration jobs = this.jobs;
		List<FailedAttempt> attempts = jobs.history().attempts(id);
		FailedAttempt last = attempts.get(0);

		return last.number() + " " + last.instance() + " " + last.error();
	}

	long throughput() {
		JobAdministration jobs = this.jobs;
		List<ThroughputSample> lastHour = jobs.history().throughput(60);
		long succeeded = lastHour.stream().mapToLong((minute) -> minute.total().succeeded()).sum();

		return succeeded;
	}

	void quiet(String instance) {
		JobAdministration jobs = this.jobs;
		jobs.workerControl().quiet(instance);
		jobs.workerControl().resume(instance);
	}

	void updateOne(String id) {
		JobAdministration jobs = this.jobs;
		jobs.cancel(id);
		jobs.move(id, "slow");
		jobs.runNow(id);
		jobs.requeue(id);
		jobs.dismiss(id);
	}

	String updateMany(Instant requestedAt, Instant midnight) {
		JobAdministration jobs = this.jobs;
		JobFilter one = JobFilter.waiting().job("billing.bill").arguments(42, "2026-05", requestedAt);
		JobFilter tomorrow = JobFilter.delayed().queue("mail").dueFrom(midnight);
		JobFilter broken = JobFilter.dead()
			.matching((job) -> job.lastError() != null && job.lastError().contains("SMTP"));

		UpdateSummary cancelled = jobs.cancel(one);
		UpdateSummary moved = jobs.move(tomorrow, "slow");
		RequeueSummary back = jobs.requeue(broken);

		return cancelled.done() + " " + moved.done() + " " + back.accepted();
	}

	String inspectUnreadable() {
		JobAdministration jobs = this.jobs;
		List<UnreadableRecord> records = jobs.unreadable(100);
		boolean deleted = jobs.discard(records.get(0).id());

		return records.size() + " " + records.get(0).text() + " " + deleted;
	}

	long clearUp() {
		JobAdministration jobs = this.jobs;
		jobs.pause("invoices");
		jobs.resume("invoices");
		long removed = jobs.remove("invoices");
		List<Violation> violations = jobs.verify();
		List<Violation> repaired = jobs.repair();

		return removed + violations.size() + repaired.size();
	}

}
