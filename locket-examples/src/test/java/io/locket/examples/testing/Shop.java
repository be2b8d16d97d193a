package io.locket.examples.testing;

import java.time.Duration;
import java.time.YearMonth;

import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;

import org.springframework.transaction.annotation.Transactional;

/**
 * The service under test.
 */
public class Shop {

	private final Jobs jobs;

	Shop(Jobs jobs) {
		this.jobs = jobs;
	}

	@Transactional
	public void close(long customer, YearMonth period) {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.bill", customer, period);
	}

}
