package io.locket.examples.scheduledmethods;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.UniqueJob;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class Sessions {

	private final AtomicInteger deletions = new AtomicInteger();

	@Scheduled(cron = "${sessions.cron:0 * * * * *}")
	@UniqueJob(holdAtLeast = "30s")
	public void deleteExpired() {
		delete();
	}

	private void delete() {
		this.deletions.incrementAndGet();
	}

	public int deletions() {
		return this.deletions.get();
	}

}
