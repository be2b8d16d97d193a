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

	void accept(long orderId, Instant now) {
		this.jobs.enqueue(Emails.class, (emails) -> emails.confirm(orderId));
		this.jobs.enqueue(Emails.class, (emails) -> emails.remind(orderId, now), EnqueueOptions.in(Duration.ofDays(3)));
	}

}
