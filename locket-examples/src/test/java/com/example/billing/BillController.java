package com.example.billing;

import java.time.YearMonth;

import io.locket.job.Jobs;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class BillController {

	private final Jobs jobs;

	public BillController(Jobs jobs) {
		this.jobs = jobs;
	}

	@PostMapping("/bills/{customerId}")
	public String bill(@PathVariable long customerId, @RequestParam YearMonth period) {
		return this.jobs.enqueue(Billing.class, (billing) -> billing.bill(customerId, period)) + "\n";
	}

}
