package io.locket.examples.readme;

import java.time.Instant;
import java.time.YearMonth;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Component;

@Component
class Producer {

	private final Jobs jobs;

	Producer(Jobs jobs) {
		this.jobs = jobs;
	}

	EnqueueResult request(YearMonth may, Instant now) {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue(Billing.class, (billing) -> billing.bill(42, may, now));
		return result;
	}

}
