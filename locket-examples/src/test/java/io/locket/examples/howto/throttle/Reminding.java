package io.locket.examples.howto.throttle;

import io.locket.job.Jobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.EnqueueResult.Duplicate;

import org.springframework.stereotype.Service;

@Service
public class Reminding {

	private final Jobs jobs;

	Reminding(Jobs jobs) {
		this.jobs = jobs;
	}

	public boolean remind(long customerId, String text) {
		EnqueueResult result = this.jobs.enqueue(Reminders.class, (reminders) -> reminders.send(customerId, text));
		return !(result instanceof Duplicate);
	}

}
