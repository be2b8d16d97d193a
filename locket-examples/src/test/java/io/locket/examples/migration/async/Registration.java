package io.locket.examples.migration.async;

import io.locket.job.Jobs;

import org.springframework.stereotype.Service;

@Service
public class Registration {

	private final Jobs jobs;

	Registration(Jobs jobs) {
		this.jobs = jobs;
	}

	public void register(String recipient) {
		this.jobs.enqueue(Mailing.class, (mailing) -> mailing.send(recipient, "Welcome"));
	}

}
