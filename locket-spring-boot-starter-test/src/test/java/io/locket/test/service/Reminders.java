package io.locket.test.service;

import io.locket.job.Jobs;

import org.springframework.transaction.annotation.Transactional;

/**
 * Enqueues in transactions.
 */
public class Reminders {

	private final Jobs jobs;

	public Reminders(Jobs jobs) {
		this.jobs = jobs;
	}

	@Transactional
	public void remind(String address) {
		this.jobs.enqueue("billing.send", address);
	}

}
