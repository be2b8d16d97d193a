package io.locket.test;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.locket.job.UniqueJobs;
import io.locket.queue.spi.JobStore;

import org.springframework.util.Assert;

/**
 * The queues of a test in their order, beginning with those that the service serves.
 */
final class QueuePlan {

	private final List<String> served;

	private final JobStore store;

	private final UniqueJobs jobs;

	QueuePlan(List<String> served, JobStore store, UniqueJobs jobs) {
		this.served = List.copyOf(served);
		this.store = store;
		this.jobs = jobs;
	}

	/**
	 * Checks the names of queues, because a wrong name would run nothing.
	 */
	List<String> require(String... named) {
		Set<String> known = new TreeSet<>(this.served);
		known.addAll(this.store.queues());
		this.jobs.jobs().forEach((job) -> known.add(job.queue()));
		for (String queue : named) {
			Assert.isTrue(known.contains(queue), () -> "There is no queue '" + queue + "'. Known queues are " + known);
		}
		return List.of(named);
	}

	List<String> queues(List<String> named) {
		Set<String> queues = new LinkedHashSet<>(named);
		if (named.isEmpty()) {
			queues.addAll(this.served);
			queues.addAll(this.store.queues());
		}
		return List.copyOf(queues);
	}

}
