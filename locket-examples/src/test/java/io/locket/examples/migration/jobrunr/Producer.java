package io.locket.examples.migration.jobrunr;

import java.time.Instant;
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

	List<EnqueueResult> produce(Instant midnight) {
		Jobs jobs = this.jobs;
		EnqueueResult now = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, "2026-05"));
		EnqueueResult later = jobs.enqueue(Billing.class, (billing) -> billing.bill(43, "2026-05"),
				EnqueueOptions.at(midnight));

		return List.of(now, later);
	}

}
