package com.example.billing;

import java.time.YearMonth;
import java.util.List;

import io.locket.UniqueJob;
import io.locket.job.Jobs;

import org.springframework.stereotype.Component;

@Component
public class MonthEnd {

	private final Jobs jobs;

	public MonthEnd(Jobs jobs) {
		this.jobs = jobs;
	}

	@UniqueJob
	public void enqueueBills() {
		for (long customerId : List.of(1L, 2L, 3L)) {
			this.jobs.enqueue(Billing.class, (billing) -> billing.bill(customerId, YearMonth.of(2026, 5)));
		}
	}

}
