package io.locket.examples.migration.jobrunr;

import java.time.Instant;

import org.jobrunr.scheduling.JobScheduler;

class OldProducer {

	private final JobScheduler scheduler;

	OldProducer(JobScheduler scheduler) {
		this.scheduler = scheduler;
	}

	void produce(Instant midnight) {
		JobScheduler scheduler = this.scheduler;
		scheduler.<OldBilling>enqueue((billing) -> billing.bill(42, "2026-05"));
		scheduler.<OldBilling>schedule(midnight, (billing) -> billing.bill(43, "2026-05"));
	}

}
