package io.locket.examples.migration.resque;

import java.time.Duration;
import java.time.Instant;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;

import org.springframework.stereotype.Component;

@Component
class Orders {

	private final Jobs jobs;

	Orders(Jobs jobs) {
		this.jobs = jobs;
	}

	void accept(long orderId) {
		this.jobs.enqueue("emails.confirm", orderId);
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofDays(3)), "emails.remind", orderId, Instant.now());
	}

}
