package io.locket.examples.howto.moving;

import io.locket.JobState;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.job.administration.UpdateSummary;
import io.locket.queue.QueueCounts;

import org.springframework.stereotype.Component;

@Component
class QueueMove {

	private final JobAdministration jobs;

	QueueMove(JobAdministration jobs) {
		this.jobs = jobs;
	}

	long moveAll() {
		UpdateSummary moved = this.jobs.move(JobFilter.waiting().queue("mail"), "messages");
		return moved.done();
	}

	boolean isDrained(String queue) {
		QueueCounts counts = this.jobs.counts(queue);
		for (JobState state : JobState.values()) {
			if (!state.isEnded() && counts.in(state) > 0) {
				return false;
			}
		}
		return counts.deadLetters() == 0 && counts.unreadable() == 0;
	}

}
