package io.locket.examples.readme;

import java.time.Instant;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;

import org.springframework.stereotype.Component;

@Component
class Producer {

	private final Jobs jobs;

	Producer(Jobs jobs) {
		this.jobs = jobs;
	}

	EnqueueResult request() {
		Jobs jobs = this.jobs;
		EnqueueResult result = jobs.enqueue("billing.bill", 42, "2026-05", Instant.now());
		return result;
	}

}
