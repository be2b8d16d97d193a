package io.locket.examples.enqueuing;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.locket.job.BulkEnqueueException;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Refused;
import io.locket.queue.spi.KeyBlocker;

import org.springframework.stereotype.Component;

@Component
class Producer {

	private final Jobs jobs;

	private final UniqueJobs uniqueJobs;

	Producer(Jobs jobs, UniqueJobs uniqueJobs) {
		this.jobs = jobs;
		this.uniqueJobs = uniqueJobs;
	}

	EnqueueResult byCall(YearMonth may, Instant now) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, may, now));

		return result;
	}

	EnqueueResult byName(Instant now) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue("billing.bill", 42, "2026-05", now);

		return result;
	}

	List<EnqueueResult> withOptions(YearMonth may, Instant now, Instant midnight, String orderId) {
		Jobs jobs = this.jobs;
		EnqueueResult soon = jobs.enqueue(Billing.class, (billing) -> billing.bill(43, may, now),
				EnqueueOptions.in(Duration.ofMinutes(5)));
		EnqueueResult elsewhere = jobs.enqueue(EnqueueOptions.at(midnight).queue("urgent").id("bill-" + orderId),
				"billing.bill", 44, may, now);

		return List.of(soon, elsewhere);
	}

	List<EnqueueResult> many(Collection<Long> customers, YearMonth may, Instant now) {
		Jobs jobs = this.jobs;
		List<JobRequest> requests = customers.stream()
			.map((customer) -> JobRequest.of(Billing.class, (billing) -> billing.bill(customer, may, now)))
			.toList();
		try {
			return jobs.enqueueAll(requests);
		}
		catch (BulkEnqueueException ex) {
			return jobs.enqueueAll(ex.getRemaining()); // the same ids: nothing is
														// enqueued twice
		}
	}

	EnqueueResult atOnce(YearMonth may, Instant now) {
		Jobs jobs = this.jobs;
		return jobs.enqueue(Billing.class, (billing) -> billing.bill(45, may, now), EnqueueOptions.now().immediate());
	}

	void guarded(YearMonth may, Instant now) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue("billing.bill", 46, may, now);
		if (result instanceof Refused refused) {
			throw new IllegalStateException(refused.reason());
		}
	}

	EnqueueResult byInterface() {
		Jobs jobs = this.jobs;
		return jobs.enqueue(Mailing.class, (mailing) -> mailing.send("ada@example.org", "Welcome"));
	}

	String whoIsThere(YearMonth may, Instant now) {
		UniqueJobs uniqueJobs = this.uniqueJobs;
		boolean free = uniqueJobs.isAvailable(Billing.class, (billing) -> billing.bill(42, may, now));
		Optional<KeyBlocker> there = uniqueJobs.blocker("billing.bill", 42, may, now);
		Optional<KeyBlocker> thereInUrgent = uniqueJobs.inQueue("urgent").blocker("billing.bill", 42, may, now);

		return free + " " + there.map(KeyBlocker::state) + " " + thereInUrgent.map(KeyBlocker::position);
	}

}
