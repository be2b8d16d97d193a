package io.locket.examples.migration.sidekiq;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.JobState;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Reflections {

	private final List<String> log = new CopyOnWriteArrayList<>();

	@EventListener
	void duplicate(JobDuplicated event) {
		info("Not enqueued: " + event.job() + ", " + event.of() + " is there");
	}

	@EventListener
	void ended(JobEnded event) {
		if (event.state() == JobState.DEAD) {
			info("Dead: " + event.job() + ", " + event.error());
		}
	}

	private void info(String message) {
		this.log.add(message);
	}

	List<String> log() {
		return this.log;
	}

}
