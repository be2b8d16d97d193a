package io.locket.examples.delayed;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.locket.JobState;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.administration.DelayedJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.CancelResult;
import io.locket.queue.DueTime;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.UpdateResult;

import org.springframework.stereotype.Component;

@Component
class Reminders {

	private final Jobs jobs;

	private final JobAdministration administration;

	Reminders(Jobs jobs, JobAdministration administration) {
		this.jobs = jobs;
		this.administration = administration;
	}

	void enqueue(long customerId, Instant midnight) {
		this.jobs.enqueue(Mail.class, (mail) -> mail.remind(customerId, "invoice"),
				EnqueueOptions.in(Duration.ofMinutes(5)));
		this.jobs.enqueue(EnqueueOptions.at(midnight), "mail.remind", customerId, "meeting");
		this.jobs.enqueue(EnqueueOptions.at(midnight).queue("urgent"), "mail.remind", customerId, "contract");
	}

	String look(Instant midnight) {
		JobAdministration jobs = this.administration;
		DelayedJobs delayed = jobs.delayed();
		long size = delayed.count();
		long atMidnight = delayed.countAt(midnight);
		Optional<Instant> nextTime = delayed.nextTime();
		Optional<JobRecord> nextJob = delayed.next();
		List<DueTime> times = delayed.times().limit(50).toList();
		List<DueTime> laterTimes = delayed.times(times.get(times.size() - 1).time().plusMillis(1)).limit(50).toList();
		long distinctTimes = delayed.times().count();
		List<JobRecord> firstJobs = delayed.jobs().limit(50).toList();
		JobPage page = jobs.list(JobFilter.delayed().dueAt(midnight), 50, null);
		long urgent = delayed.queue("urgent").count();

		return size + " " + atMidnight + " " + nextTime.isPresent() + " " + nextJob.isPresent() + " " + times.size()
				+ " " + laterTimes.size() + " " + distinctTimes + " " + firstJobs.size() + " " + page.jobs().size()
				+ " " + urgent;
	}

	String update(long customerId, String id, Instant midnight) {
		JobAdministration jobs = this.administration;
		JobFilter one = JobFilter.delayed().job("mail.remind").arguments(customerId, "meeting");
		Optional<JobRecord> found = jobs.stream(one).findFirst();
		CancelResult byId = jobs.cancel(id);
		UpdateResult now = jobs.runNow(id);
		long cancelled = jobs.cancel(one).done();
		long sent = jobs.runNow(JobFilter.delayed().dueAt(midnight)).done();
		long rest = jobs.cancel(JobFilter.delayed().matching((job) -> (Long) jobs.arguments(job)[0] == customerId))
			.done();
		long all = jobs.cancel(JobFilter.delayed().queue("mail")).done();

		return found.isPresent() + " " + byId + " " + now + " " + cancelled + " " + sent + " " + rest + " " + all + " "
				+ jobs.counts("urgent").in(JobState.READY);
	}

}
