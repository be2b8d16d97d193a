package io.locket.examples.queues;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Component;

@Component
class Producer {

	private final Jobs jobs;

	Producer(Jobs jobs) {
		this.jobs = jobs;
	}

	List<EnqueueResult> enqueue(YearMonth may, Instant requestedAt) {
		Jobs jobs = this.jobs;
		EnqueueResult now = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, may, requestedAt));
		EnqueueResult later = jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.bill", 42, "2026-05",
				requestedAt);
		return List.of(now, later);
	}

}
