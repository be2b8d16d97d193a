package io.locket.examples.migration.dbscheduler;

import java.time.Instant;

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

	EnqueueResult produce(Instant midnight) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, "2026-05"),
				EnqueueOptions.at(midnight));

		return result;
	}

}
