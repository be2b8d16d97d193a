package io.locket.examples.readme;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Component;

@Component
class Producer {

	private final Jobs jobs;

	Producer(Jobs jobs) {
		this.jobs = jobs;
	}

	List<EnqueueResult> request(YearMonth may, Instant requestedAt) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, may, requestedAt));

		EnqueueResult named = jobs.enqueue("billing.bill", 42, "2026-06", requestedAt);
		return List.of(result, named);
	}

}
