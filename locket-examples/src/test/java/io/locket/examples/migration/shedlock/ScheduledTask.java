package io.locket.examples.migration.shedlock;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.UniqueJob;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class ScheduledTask {

	private final AtomicInteger runs = new AtomicInteger();

	@Scheduled(cron = "0 */15 * * * *")
	@UniqueJob(name = "scheduledTaskName", holdAtLeast = "14m")
	public void scheduledTask() {
		JobContext.required("scheduledTaskName");
		doSomething();
	}

	private void doSomething() {
		this.runs.incrementAndGet();
	}

	public int runs() {
		return this.runs.get();
	}

}
